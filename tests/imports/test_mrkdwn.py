"""Convert Slack's mrkdwn to Markdown."""

import re
from uuid import UUID

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from atrium.slack.mrkdwn import Names, to_markdown

ADA = UUID("01890000-0000-7000-8000-000000000001")
NAMES = Names({"U1": ADA}, {"C1": "general"})


@pytest.mark.contract("Client, agents and incoming webhooks 18")
@pytest.mark.parametrize(
    ("mrkdwn", "markdown"),
    [
        ("<@U1> hello <@U1|ada>", f"<@{ADA}> hello <@{ADA}>"),
        ("<@U9>, <@U9|bob>", "@U9, @bob"),
        ("<#C9|random> <#C1> <#C1|> <#C9>", "#random #general #general #C9"),
        ("<!here> <!channel> <!everyone|everyone>", "@here @channel @everyone"),
        ("<!subteam^S1|@devs> <!subteam^S1>", "@devs @S1"),
        ("<!date^1392734382^{date}|Feb 18>", "Feb 18"),
        ("<https://a.b/c>", "https://a.b/c"),
        ("<https://a.b/?x=1&amp;y=2|see &lt;this&gt;>", r"[see \<this>](https://a.b/?x=1&y=2)"),
        ("<http://a.b|http://a.b>", "http://a.b"),
        ("<http://a.b/c_(d)|e [f]>", r"[e \[f\]](<http://a.b/c_(d)>)"),
        ("<mailto:a@b.c|a@b.c>", "[a@b.c](mailto:a@b.c)"),
        ("<javascript:alert(1)|press>", "press (javascript:alert(1))"),
        ("a &lt; b &amp;&amp; c &gt; d, &amp;lt;", r"a < b && c > d, \&lt;"),
        ("*bold* and *two words*, (*in*) *a*.", "**bold** and **two words**, (**in**) **a**."),
        ("_it_ ~gone~ *_both_*", "_it_ ~~gone~~ **_both_**"),
        ("*<http://a.b|link>* and *see `x`*", "**[link](http://a.b)** and **see `x`**"),
        ("(* 2 3) (* 4 5) let* and letrec* 2*3*4", r"(* 2 3) (* 4 5) let* and letrec* 2\*3*4"),
        ("cp ~/a ~/b and ~ 5", "cp ~/a ~/b and ~ 5"),
        ("*one\ntwo*", "\\*one\ntwo*"),
        ("`*a* ~b~ <http://x.y|x.y>`", "`*a* ~b~ x.y`"),
        ("```*a* &lt;b&gt; _c_```", "```*a* <b> _c_```"),
        ("```\n*a*\n```", "```\n*a*\n```"),
        ("see:```(a\n b)```then", "see:\n```\n(a\n b)\n```\nthen"),
        ("```unclosed *b*", r"\`\`\`unclosed **b**"),
        ("&gt; quoted", "> quoted"),
        ("see __init__.py and src/*.py, test/*.py", r"see \_\_init__.py and src/\*.py, test/*.py"),
        ("snake_case 2 * 3 [1] a_b_c ~5 #7", "snake_case 2 * 3 [1] a_b_c ~5 #7"),
        ("# 1\n+ 2\n---\n| a | b |\n|---|---|", "\\# 1\n\\+ 2\n\\---\n| a | b |\n\\|---|---|"),
        ("> quoted\n- one\n1. two", "> quoted\n- one\n1. two"),
        ("http://a.b/__c__/d*e*f and x[0](y)", r"http://a.b/__c__/d*e*f and x[0\](y)"),
        (r"C:\temp\_x", r"C:\temp\\_x"),
        ("**Firing** _*both*_ *a _b* c_", r"**Firing** _**both**_ **a \_b** c_"),
        (":smile: stays", ":smile: stays"),
        ("<not a link> <> <@>", r"\<not a link> <> @"),
        ("a\x00b", "a\ufffdb"),
    ],
)
def test_mrkdwn_reads_as_markdown(mrkdwn: str, markdown: str) -> None:
    assert to_markdown(mrkdwn, NAMES) == markdown


@given(st.text(alphabet="*~_`<>&;|@#!UC1 a\n:/.lt\x00", max_size=60))
def test_any_text_is_converted_without_placeholders_left(text: str) -> None:
    assert "\x00" not in to_markdown(text, NAMES)


@given(st.text(alphabet="abc \n.,", max_size=60))
@example("    ")
@example("a\n\n    b\n   c\n     d")
def test_plain_text_does_not_change(text: str) -> None:
    """Only the spaces before an indented line, which would be code, become others that look the same."""
    converted = to_markdown(text, NAMES)
    assert converted.replace("\u00a0", " ") == text
    for new, old in zip(converted.split("\n"), text.split("\n"), strict=True):
        assert new == old or re.fullmatch(r"\u00a0{4,}\S.*", new), new
