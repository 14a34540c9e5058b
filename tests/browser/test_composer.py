"""Writing a message, and how what is written is shown."""

from playwright.sync_api import expect

from tests.browser.conftest import SignIn, at_end
from tests.conftest import Api

WIDE_TABLE = (
    "| Instrument | Measurements | Observatories | Responsibilities |\n|-|-|-|-|\n| Anemometer | 12 | 3 | Ada |"
)
# Whether the content is wider than its element.
OVERFLOWS = "(element) => element.scrollWidth > element.clientWidth"


def test_formatting_can_be_undone_and_enter_in_code_begins_a_line(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    field = page.get_by_label("Message #general")
    field.press_sequentially("one two")
    for key, formatted in (("b", "one **two**"), ("i", "one _two_"), ("e", "one `two`")):
        field.press("Control+Shift+ArrowLeft")
        field.press(f"Control+{key}")
        expect(field).to_have_value(formatted)
        field.press("Control+z")
        expect(field).to_have_value("one two")
        field.press("End")
    field.fill("")
    for line in ("```py", "print()", "```"):
        field.press_sequentially(line)
        assert api.person.get(api.messages).json()["messages"] == []
        field.press("Enter")
    expect(page.locator("article pre")).to_have_text("print()")


def test_a_text_that_is_too_long_is_not_cut_and_can_be_attached(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    field = page.get_by_label("Message #general")
    field.press_sequentially("See: ")
    page.evaluate("navigator.clipboard.writeText('x'.repeat(50_000))")
    field.press("Control+v")
    expect(page.get_by_role("alert")).to_contain_text("10,005 characters too long. Messages can have up to 40,000.")
    assert len(field.input_value()) == 50_005
    expect(page.get_by_role("button", name="Send")).to_be_disabled()
    page.get_by_role("button", name="Attach as a text file").click()
    expect(field).to_have_value("See: ")
    expect(page.get_by_text("message.txt")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    field.press("Enter")
    expect(page.locator("article")).to_contain_text("message.txt")
    sent = api.person.get(api.messages).json()["messages"][0]
    assert (sent["text"], [each["size"] for each in sent["attachments"]]) == ("See:", [50_000])


def test_emoji_scripts_code_and_tables_are_shown_as_meant(api: Api, sign_in: SignIn) -> None:
    long_code = "wide " * 60
    for text in ("hi :wink:", "שלום לך, world", f"```\n{long_code}\n```", "```\nshort\n```", WIDE_TABLE):
        api.send(text)
    page = sign_in("Grace", viewport={"width": 390, "height": 844})
    at_end(page)
    page.get_by_label("Message #general").fill("مرحبا")
    assert page.get_by_label("Message #general").evaluate("(field) => field.matches(':dir(rtl)')")
    table = page.locator("div:has(> table)")
    assert table.evaluate(OVERFLOWS)
    assert table.locator("th").first.evaluate("(cell) => cell.clientHeight") < 40  # one line
    expect(table).to_have_attribute("tabindex", "0")
    expect(page.locator("pre", has_text="wide")).to_have_attribute("tabindex", "0")
    assert page.locator("pre", has_text="short").get_attribute("tabindex") is None
    assert page.get_by_text("world").evaluate("(text) => text.matches('p:dir(rtl)')")
    expect(page.locator("article").first).to_contain_text("😉")
