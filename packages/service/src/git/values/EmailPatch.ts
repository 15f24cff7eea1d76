/** A commit as an e-mail, byte for byte as printed by `git format-patch` with default settings. */
import { MAX_SECONDS, type Commit, type Person } from "./GitObject.ts"
import * as TrimCharacters from "../../base/TrimCharacters.ts"

/** Everything before the diff: headers, message and a blank line. */
export const header = (oid: string, { author, message }: Commit): string => {
  const [title, body] = splitTitle(message)
  const subject = `Subject: [PATCH] ${needsEncoding(title) ? encode(title, "Subject: [PATCH] ".length, false) : wrap(title, "Subject: [PATCH] ".length)}`
  const mime = isAscii(message)
    ? ""
    : "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n"
  const headers = `From ${oid} Mon Sep 17 00:00:00 2001\n${from(author)}Date: ${date(author)}\n`
  const start = `${headers}${subject}\n${mime}\n`
  const text = trimEnd(start + body)
  return text.length < start.length - 1 ? `${text}\n\n` : `${text}\n${text.length < start.length ? "\n" : ""}`
}

/** The signature after the diff. In git's own output, the signature contains the version of git instead. */
export const FOOTER = "-- \nTongs\n\n"

/** Maximum columns of a header line, without and with encoded words (RFC 2047). */
const MAX_COLUMNS = 78
const MAX_ENCODED_COLUMNS = 76

/** Removes the characters of git's `isspace` from the end. */
const trimEnd = (text: string): string => TrimCharacters.end(text, " \t\r\n")

/** Splits a commit message into its first paragraph, joined to one line, and the rest. Trims the end of every line. */
const splitTitle = (message: string): readonly [string, string] => {
  const lines = (message.split("\0")[0] ?? "").split("\n").map(trimEnd)
  const start = lines.findIndex((line) => line !== "")
  if (start === -1) return ["", ""]
  const end = lines.indexOf("", start)
  const rest = end === -1 ? [] : lines.slice(end)
  const first = rest.findIndex((line) => line !== "")
  return [lines.slice(start, end === -1 ? undefined : end).join(" "), first === -1 ? "" : rest.slice(first).join("\n")]
}

/** Git does not count the escape character as ASCII here. */
const isAscii = (text: string): boolean => /^[\0-\x1a\x1c-\x7f]*$/.test(text)

const needsEncoding = (text: string): boolean => !isAscii(text) || text.includes("\n") || text.includes("=?")

const from = ({ email, name }: Person): string => {
  const label = "From: "
  const isEncoded = needsEncoding(name)
  const shown = isEncoded
    ? encode(name, label.length, true)
    : wrap(/[()<>[\]:;@,."\\]/.test(name) ? `"${name.replace(/["\\]/g, String.raw`\$&`)}"` : name, label.length)
  const line = label + shown
  const last = line.length - (line.lastIndexOf("\n") + 1)
  const limit = isEncoded ? MAX_ENCODED_COLUMNS : MAX_COLUMNS
  return `${line}${last + ` <${email}>`.length > limit ? "\n" : ""} <${email}>\n`
}

/** Encodes and wraps text as RFC 2047 words, starting at `column`. */
const encode = (text: string, column: number, isAddress: boolean): string => {
  const open = "=?UTF-8?q?"
  let result = open
  let used = column + open.length
  for (const character of text) {
    const bytes = Buffer.from(character)
    const isSpecial = bytes.length > 1 || (isAddress ? /[^A-Za-z0-9!*+/-]/ : /[=?_ \n\x1b]/).test(character)
    const encoded = isSpecial
      ? [...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("")
      : character
    if (used + encoded.length + "?=".length > MAX_ENCODED_COLUMNS) {
      result += `?=\n ${open}`
      used = open.length + 1
    }
    result += encoded
    used += encoded.length
  }
  return `${result}?=`
}

/** Wraps ASCII text at spaces, starting at `column`. */
const wrap = (text: string, column: number): string => {
  let result = ""
  let width = column
  let start = 0
  let space: number | undefined = 0
  for (let at = 0; ;) {
    const character = text[at]
    if (character !== undefined && !/[ \t\r]/.test(character)) {
      width++
      at++
      continue
    }
    if (width <= MAX_COLUMNS || space === undefined) {
      if (character === undefined && at === start) return result
      result += space === undefined ? ` ${text.slice(start, at)}` : text.slice(space, at)
      if (character === undefined) return result
      space = at
      width = (character === "\t" ? width | 7 : width) + 1
      at++
    } else {
      result += "\n"
      at = start = space + (/[ \t\r]/.test(text[space] ?? "") ? 1 : 0)
      space = undefined
      width = 1
    }
  }
}

/** For example `Sun, 22 Nov 2026 11:31:59 +0000`. Gives the start of 1970 for seconds out of range, as git does. */
const date = ({ seconds, timezone }: Person): string => {
  if (!(seconds >= 0 && seconds <= MAX_SECONDS)) return "Thu, 1 Jan 1970 00:00:00 +0000"
  const [, sign = "+", digits = "0"] = /^([+-])(\d+)$/.exec(timezone) ?? []
  const offset = (sign === "-" ? -1 : 1) * (Math.trunc(Number(digits) / 100) * 60 + (Number(digits) % 100))
  const local = new Date((seconds + offset * 60) * 1000).toUTCString()
  const zone = `${sign === "-" && Number(digits) > 0 ? "-" : "+"}${String(Number(digits)).padStart(4, "0")}`
  return `${local.replace(/, 0/, ", ").replace(/ GMT$/, "")} ${zone}`
}
