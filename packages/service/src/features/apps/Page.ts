/** HTML of the pages on which an owner creates and installs apps. The pages run no scripts. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** HTML that `html` created. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escape = (text: string) => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "")

type Value = string | Html | ReadonlyArray<Html>

const textOf = (value: Value): string =>
  typeof value === "string"
    ? escape(value)
    : value instanceof Html
      ? value.text
      : value.map(({ text }) => text).join("")

/** Creates HTML. Escapes texts among the values. */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<Value>): Html =>
  new Html(strings.map((string, index) => string + textOf(values[index] ?? "")).join(""))

const STYLE = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }
label { display: block; margin: 1rem 0 } input[type=text], input[type=password], textarea { display: block; width: 100%; font: inherit }`

/** A field for an access token, which stands for the session that this forge lacks. */
export const tokenField = (scopes: string): Html =>
  html`<label
    >Access token (classic) with the scopes ${scopes} <input type="password" name="token" autocomplete="off" required
  /></label>`

/** Creates a page. Forms may be sent to this forge, and to `target`, to which the answer redirects. */
export const response = (status: number, title: string, content: Html, target?: string) => {
  const document = html`<!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <style>
          ${new Html(STYLE)}
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        ${content}
      </body>
    </html> `
  return HttpServerResponse.text(document.text, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "cache-control": "no-store",
      "content-security-policy": [
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        "base-uri 'none'",
        `form-action 'self'${target === undefined ? "" : ` ${new URL(target).origin}`}`,
        "frame-ancestors 'none'"
      ].join("; "),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff"
    }
  })
}

/** Redirects the browser with further parameters in the query. */
export const redirect = (target: string, parameters: Readonly<Record<string, string>>) => {
  const url = new URL(target)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return HttpServerResponse.empty({
    status: 302,
    headers: { location: url.href, "cache-control": "no-store", "referrer-policy": "no-referrer" }
  })
}
