import { assert, describe, it } from "@effect/vitest"
import * as CommitMessage from "./CommitMessage.ts"

const PARAGRAPH = "This paragraph was wrapped by its author at about seventy-two columns,\nand has a second line."

describe("CommitMessage", () => {
  it("joins the lines of a paragraph", () => {
    assert.strictEqual(
      CommitMessage.body(`Subject\n\n${PARAGRAPH}\n\nNext.\n`),
      `${PARAGRAPH.replace("\n", " ")}\n\nNext.`
    )
  })

  it("keeps short lines, lists, quotes, code and trailers", () => {
    const long = "x".repeat(70)
    for (const body of [
      "One.\nTwo.",
      `- ${long}\n- second`,
      `${long}\n> quoted`,
      `    ${long}\n    code`,
      `${long}\n\n1. one\n2. two`,
      `${long}\nSigned-off-by: Mona <mona@example.com>`
    ])
      assert.strictEqual(CommitMessage.body(`Subject\n\n${body}`), body)
  })

  it("joins a line that starts with an option", () => {
    const text = "The program has options for people who use it all day, for example the\n--read-only option."
    assert.strictEqual(CommitMessage.body(`Subject\r\n\r\n${text.replace("\n", "\r\n")}`), text.replace("\n", " "))
  })

  it("has no body without a second line", () => {
    assert.strictEqual(CommitMessage.subject("Subject"), "Subject")
    assert.strictEqual(CommitMessage.body("Subject"), "")
  })
})
