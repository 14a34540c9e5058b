"""Blocks of code in messages: colors, the language, the copy button, and long blocks."""

from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.conftest import SignIn, at_end
from tests.conftest import Api

PYTHON = 'def greet(name):\n    return f"hello {name}"  # politely'
LONG = "\n".join(f"line {number}" for number in range(699))
TOP = "(element) => Math.round(element.getBoundingClientRect().top)"


def test_code_is_highlighted_and_copied(api: Api, sign_in: SignIn) -> None:
    api.send(f"```py\n{PYTHON}\n```")
    api.send("```\nplain\n```")
    page = sign_in("Grace")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    at_end(page)
    block = page.locator("pre", has_text="greet")
    expect(block.locator("[data-token=keyword]")).to_have_text(["def", "return"])
    expect(block.locator("[data-token=comment]")).to_have_text("# politely")
    assert block.inner_text() == PYTHON
    article = page.locator("article", has=block)
    expect(article.get_by_text("Python", exact=True)).to_be_visible()
    assert violations(page) == []
    article.get_by_role("button", name="Copy code").focus()
    page.keyboard.press("Enter")
    copied = article.get_by_role("button", name="Copied")
    expect(copied).to_have_text("Copied")
    expect(copied).to_be_focused()
    assert page.evaluate("navigator.clipboard.readText()") == PYTHON


def test_a_long_block_opens_and_closes_in_its_place(api: Api, sign_in: SignIn) -> None:
    api.send(f"```yaml\n{LONG}\n```")
    for number in range(60):
        api.send(f"after {number}")
    api.send(f"```yaml\n{LONG}!\n```")
    page = sign_in("Grace")
    at_end(page)
    block = page.locator("article").last.locator("pre")
    expect(block.locator("[data-token]").first).to_be_attached()
    expect(block).not_to_contain_text("line 20")
    before = block.evaluate(TOP)
    page.get_by_role("button", name="Show all 699 lines").last.click()
    expect(block).to_contain_text("line 698!")
    assert block.evaluate(TOP) == before
    less = page.get_by_role("button", name="Show less")
    less.scroll_into_view_if_needed()
    at = less.evaluate(TOP)
    less.click()
    button = page.get_by_role("button", name="Show all 699 lines").last
    expect(block).not_to_contain_text("line 20")
    assert abs(button.evaluate(TOP) - at) < 2


def test_hostile_code_leaves_the_page_free(api: Api, sign_in: SignIn) -> None:
    for text in ("(" * 39_000, "a\\" * 19_000, "<a " * 12_000, "/*" * 19_000):
        api.send(f"```ts\n{text}\n```")
    page = sign_in("Grace")
    field = page.get_by_label("Message #general")
    field.press_sequentially("still here")
    expect(field).to_have_value("still here")
    expect(page.locator("article pre")).to_have_count(4)
    page.get_by_role("button", name="Show all 39,000 characters").click()
    expect(page.locator("pre", has_text="(" * 39_000)).to_be_attached()
