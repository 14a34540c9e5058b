const pad2 = (n: number): string => String(n).padStart(2, "0");

/** Format seconds as media players do: 75 is 1:15, 3675 is 1:01:15. */
export function formatDuration(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours > 0 ? `${hours}:${pad2(minutes)}:${pad2(rest)}` : `${minutes}:${pad2(rest)}`;
}
