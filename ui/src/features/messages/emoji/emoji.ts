/** The emoji that the picker offers: each with its short names, the first of them also Slack's. */
const TABLE = `
👍 +1 thumbsup yes|👎 -1 thumbsdown no|❤️ heart love|🎉 tada party|😂 joy laugh tears|🚀 rocket ship launch|👀 eyes look|✅ white_check_mark check done|
🙏 pray thanks please|🔥 fire hot|💯 100 hundred|👏 clap applause|🙌 raised_hands hooray|💪 muscle strong|🤝 handshake deal|👋 wave hello bye|
🤔 thinking thinking_face hmm|😄 smile happy|😀 grinning|😃 smiley|😁 grin|😅 sweat_smile|🙂 slightly_smiling_face|😉 wink|😊 blush|😍 heart_eyes|🥰 smiling_face_with_3_hearts|😘 kissing_heart|
😎 sunglasses cool|🤓 nerd_face|🤩 star-struck|🥳 partying_face|😇 innocent angel|🤗 hugging_face hug|😋 yum|😜 stuck_out_tongue_winking_eye|🤪 zany_face|😏 smirk|
😐 neutral_face|😑 expressionless|🙃 upside_down_face|🙄 face_with_rolling_eyes|😬 grimacing|😔 pensive|😕 confused|🙁 slightly_frowning_face|😞 disappointed|😢 cry sad|😭 sob|😤 triumph|😠 angry|😡 rage|🤬 cursing|
😱 scream|😨 fearful|😳 flushed|🥺 pleading_face|😴 sleeping|🤒 face_with_thermometer ill|🤯 exploding_head mind_blown|🤷 shrug|🤦 facepalm face_palm|🤖 robot_face bot|👻 ghost|💀 skull|💩 hankey poop|
👌 ok_hand|✌️ v victory|🤞 crossed_fingers luck|🤟 i_love_you_hand|🤘 the_horns metal|👈 point_left|👉 point_right|👆 point_up_2|👇 point_down|✋ hand stop|🖖 spock-hand|✍️ writing_hand|
💙 blue_heart|💚 green_heart|💛 yellow_heart|🧡 orange_heart|💜 purple_heart|🖤 black_heart|💔 broken_heart|✨ sparkles|⭐ star|🌟 star2|⚡ zap|💥 boom|💡 bulb idea|🎯 dart target|🏆 trophy|🥇 first_place_medal|🎁 gift|🎂 birthday cake|🎈 balloon|🍾 champagne|
☕ coffee|🍵 tea|🍺 beer|🍻 beers|🍕 pizza|🍰 cake|🍪 cookie|🍎 apple|🌮 taco|🥗 salad|
🐛 bug|🦄 unicorn_face|🐙 octopus|🦊 fox_face|🐧 penguin|🦆 duck|🐢 turtle|🐍 snake|🌱 seedling|🌈 rainbow|☀️ sunny|🌧️ rain_cloud|❄️ snowflake|
❌ x wrong|⚠️ warning|❓ question|❗ exclamation|🚨 rotating_light alarm|🛑 octagonal_sign|🔒 lock|🔑 key|🔧 wrench fix|🔨 hammer|🧪 test_tube|📌 pushpin pin|📎 paperclip|📝 memo note|📅 date calendar|⏰ alarm_clock|⏳ hourglass_flowing_sand|📈 chart_with_upwards_trend|📉 chart_with_downwards_trend|📦 package|💻 computer|📱 iphone phone|🔗 link|📣 mega announce|🔍 mag search|➕ heavy_plus_sign|♻️ recycle|🏁 checkered_flag`;

export interface Emoji {
  emoji: string;
  names: string[];
}

export const EMOJI: Emoji[] = TABLE.split(/[|\n]+/)
  .filter(Boolean)
  .map((entry) => {
    const [emoji = "", ...names] = entry.split(" ");
    return { emoji, names };
  });

const byName = new Map(EMOJI.flatMap(({ emoji, names }) => names.map((name) => [name, emoji] as const)));

export const QUICK = ["👍", "❤️", "😂", "🎉", "👀"];

/** The emoji of a short name such as `+1`, or the text itself between colons where there is none. */
export function shownEmoji(emoji: string): string {
  if (!/^[\w+-]+$/.test(emoji)) return emoji;
  return byName.get(emoji) ?? byName.get(emoji.replace(/::?skin-tone-\d$/, "")) ?? `:${emoji}:`;
}

/** What is to be found under the beginning of a name, the closest first. */
export function findEmoji(typed: string): Emoji[] {
  const query = typed.toLowerCase().replaceAll(":", "").trim();
  if (!query) return EMOJI;
  const starts = EMOJI.filter(({ names }) => names.some((each) => each.startsWith(query)));
  const holds = EMOJI.filter(
    (each) => !starts.includes(each) && each.names.some((name) => name.includes(query)),
  );
  return [...starts, ...holds];
}
