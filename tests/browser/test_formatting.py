"""The composer's formats, what it makes of the clipboard, and the editing of the last message."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import SignIn, at_end, room_url
from tests.conftest import Api

# What a spreadsheet copies: the cells as HTML and as a picture.
PASTE_SHEET = """(field) => {
  const data = new DataTransfer();
  const cells = [["Station", "m/s"], ["North|South", "12.5"]];
  const row = (each) => `<tr><td style="color: red">${each.join("</td><td>")}</td></tr>`;
  data.setData("text/html", `<style>td { color: red }</style><table>${cells.map(row).join("")}</table>`);
  data.setData("text/plain", cells.map((each) => each.join("\\t")).join("\\n"));
  data.items.add(new File(["x"], "image.png", { type: "image/png" }));
  field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""
TABLE = "| Station | m/s |\n| --- | --: |\n| North\\|South | 12.5 |\n\n"
# Count what changes among the messages.
WATCH_MESSAGES = """() => {
  window.changes = 0;
  const count = (records) => { window.changes += records.length; };
  const everything = { childList: true, subtree: true, attributes: true, characterData: true };
  new MutationObserver(count).observe(document.querySelector("[data-messages]"), everything);
}"""


def write(field: Locator, keys: str, text: str) -> None:
    """Press keys in a field and expect its text."""
    field.press(keys)
    expect(field).to_have_value(text)


def test_enter_continues_lists_and_each_step_can_be_undone(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    field = page.get_by_label("Message #general")
    field.press_sequentially("- one")
    write(field, "Enter", "- one\n- ")
    expect(page.get_by_text("Ctrl+Enter to send")).to_be_visible()
    field.press_sequentially("two")
    write(field, "Enter", "- one\n- two\n- ")
    write(field, "Enter", "- one\n- two\n\n")
    write(field, "Control+z", "- one\n- two\n- ")
    write(field, "Control+Enter", "")
    expect(page.locator("article").last.get_by_role("listitem")).to_have_text(["one", "two"])
    field.press_sequentially("quoted")
    write(field, "Control+Shift+Digit9", "> quoted")
    write(field, "Control+Shift+Digit9", "quoted")
    write(field, "Control+Shift+Digit7", "1. quoted")
    write(field, "Control+Shift+Digit8", "- quoted")
    page.get_by_role("button", name="Code block").click()
    write(field, "x", "- quoted\n```\nx\n```")
    for _ in range(2):
        field.press("Control+z")
    expect(field).to_have_value("- quoted")
    expect(field).to_be_focused()


def test_links_and_sheets_are_pasted_as_markdown_and_previewed(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    field = page.get_by_label("Message #general")
    field.press_sequentially("the plan")
    page.evaluate("navigator.clipboard.writeText('https://example.org/plan')")
    field.press("Control+Shift+ArrowLeft")
    write(field, "Control+v", "the [plan](https://example.org/plan)")
    write(field, "Control+z", "the plan")
    write(field, "Control+Shift+v", "the https://example.org/plan")
    field.fill("")
    field.evaluate(PASTE_SHEET)
    expect(field).to_have_value(TABLE)
    expect(page.get_by_text("image.png")).to_have_count(0)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("region", name="Preview").get_by_role("cell")).to_have_text(["North|South", "12.5"])
    assert violations(page) == []
    page.get_by_role("button", name="Back to writing").click()
    expect(field).to_be_focused()
    write(field, "Control+z", "")


def test_all_emoji_are_offered_and_the_toolbar_is_one_tab_stop(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    field = page.get_by_label("Message #general")
    field.press_sequentially(":sm")
    options = page.get_by_role("option")
    expect(options.nth(20)).to_be_attached()
    field.press("ArrowUp")
    expect(options.last).to_be_in_viewport()
    field.press("Escape")
    field.fill("")
    field.press_sequentially(":racing_mot")
    write(field, "Enter", "🏍️ ")
    field.press("Tab")
    expect(page.get_by_role("button", name="Attach files")).to_be_focused()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Link (Ctrl+Shift+U)")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Send")).to_be_focused()


def test_arrow_up_edits_the_last_own_message_also_in_threads(api: Api, sign_in: SignIn) -> None:
    root = api.send("the root")["message_id"]
    page = sign_in(at=room_url(api, query=f"?thread={root}"))
    thread = page.get_by_role("region", name="Thread")
    field = thread.get_by_label("Reply…")
    field.fill("a reply")
    field.press("Enter")
    expect(thread.locator("article").last).to_contain_text("a reply")
    field.press("ArrowUp")
    edited = thread.get_by_label("Edit message")
    expect(edited).to_have_value("a reply")
    edited.press("Escape")
    expect(field).to_be_focused()
    field.press("ArrowUp")
    edited.press_sequentially(" that changed")
    edited.press("Enter")
    expect(thread.locator("article").last).to_contain_text("a reply that changed")
    expect(field).to_be_focused()
    page.get_by_label("Message #general").press("ArrowUp")
    expect(page.get_by_label("Edit message")).to_have_value("the root")


def test_typing_changes_nothing_among_the_messages(api: Api, sign_in: SignIn) -> None:
    for number in range(30):
        api.send(f"line {number}\n\n```py\nprint({number})\n```")
    page = sign_in("Grace")
    at_end(page)
    expect(page.locator("pre").last.locator("[data-token=builtin]")).to_have_text("print")
    page.evaluate(WATCH_MESSAGES)
    _type_everything(page)
    assert page.evaluate("window.changes") == 0


def _type_everything(page: Page) -> None:
    field = page.get_by_label("Message #general")
    field.press_sequentially("- one :tada: @Gr")
    field.press("Control+b")
    page.get_by_role("button", name="Quote").click()
    expect(field).to_have_value("> - one :tada: @Gr****")
