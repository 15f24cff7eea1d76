/**
 * The second defence against HTML in documents: builds the page's elements one by one. Only listed elements and
 * attributes can be created, no HTML is parsed in the page, and every URL is checked.
 */
import { createElement, Fragment, type ReactNode } from "react"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import * as DocumentLink from "../model/DocumentLink.ts"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"
import { CodeBlock } from "./CodeBlock.tsx"
import { DocumentImage } from "./DocumentImage.tsx"
import { DocumentAnchor } from "./DocumentAnchor.tsx"
import { ID_PREFIX } from "./Headings.ts"
import { elements } from "./Sanitizer.ts"

/** Maximum depth of elements. Deeper elements become text. */
const MAX_DEPTH = 60

/** A document, to which links and images are relative. */
interface Document extends ExplorerApi.PinnedPath {
  /** Returns the view for a URL of the forge. Null for a page that does not exist, undefined for any other URL. */
  readonly viewOf?: (url: string) => Route.Route | null | undefined
}

/** Returns the content of a sanitized element as nodes of the page. */
export const nodesOf = (root: Node, file: Document): ReactNode => children(root, file, 0, false)

const children = (parent: Node, file: Document, depth: number, isInLink: boolean): ReactNode =>
  Array.from(parent.childNodes, (node, index) => (
    <Fragment key={index}>
      {node.nodeType === TEXT
        ? visible(node.nodeValue ?? "")
        : isElement(node) && elementOf(node, file, depth, isInLink)}
    </Fragment>
  ))

const TEXT = 3
const ELEMENT = 1

// In some browsers, elements of another document are not instances of this window's classes.
const isElement = (node: Node): node is Element => node.nodeType === ELEMENT

/** Text with hidden characters made visible, except the variation selector of an emoji. */
const visible = (text: string): string => text.split("\n").map(displayText).join("\n").replaceAll("<U+FE0F>", "\ufe0f")

const elementOf = (element: Element, file: Document, depth: number, isInLink: boolean): ReactNode => {
  const name = element.localName
  if (!elements.has(name) || element.namespaceURI !== "http://www.w3.org/1999/xhtml") return null
  if (depth > MAX_DEPTH) return visible(element.textContent ?? "")
  const inside = () => children(element, file, depth + 1, isInLink)
  switch (name) {
    case "a":
      // Nested links are not valid, and a named anchor is only a target.
      return isInLink ? inside() : anchor(element, file, depth)
    case "img": {
      const link = DocumentLink.resolve(element.getAttribute("src") ?? "", file.path)
      const alt = displayText(element.getAttribute("alt") ?? "")
      return <DocumentImage file={file} link={link} alt={alt} isInLink={isInLink} {...sizes(element)} />
    }
    case "pre": {
      const code = element.children.length === 1 ? element.querySelector(":scope > code") : null
      const language = /^language-([\w+#.-]{1,30})$/.exec(code?.className ?? "")?.[1]
      return <CodeBlock text={(code ?? element).textContent ?? ""} language={language} />
    }
    case "input":
      return element.getAttribute("type") === "checkbox" ? (
        <input
          type="checkbox"
          disabled
          defaultChecked={element.hasAttribute("checked")}
          aria-label={element.hasAttribute("checked") ? "Completed task" : "Open task"}
        />
      ) : null
    case "picture":
      return inside()
    case "table":
      // A wide table scrolls separately.
      return (
        <div className="table-scroll" role="region" aria-label="Table" tabIndex={0}>
          {createElement("table", attributes(element), inside())}
        </div>
      )
    case "blockquote": {
      const alert = /^alert-(note|tip|important|warning|caution)$/.exec(element.className)?.[1]
      return alert === undefined ? (
        <blockquote {...attributes(element)}>{inside()}</blockquote>
      ) : (
        <div className="alert" data-alert={alert}>
          <p className="alert-title">{alert[0]?.toUpperCase() + alert.slice(1)}</p>
          {inside()}
        </div>
      )
    }
    default:
      return createElement(name, attributes(element), ...(voidElements.has(name) ? [] : [inside()]))
  }
}

const voidElements = new Set(["br", "col", "hr", "wbr"])

const anchor = (element: Element, file: Document, depth: number): ReactNode => {
  const link = DocumentLink.resolve(element.getAttribute("href") ?? "", file.path)
  const inside = children(element, file, depth + 1, link !== undefined)
  const id = idOf(element)
  const view = link?._tag === "External" ? file.viewOf?.(link.url) : undefined
  if (view !== undefined && view !== null)
    return (
      <Link id={id} to={view}>
        {inside}
      </Link>
    )
  return link === undefined || view === null ? (
    <span id={id}>{inside}</span>
  ) : (
    <DocumentAnchor id={id} link={link} file={file}>
      {inside}
    </DocumentAnchor>
  )
}

const idOf = (element: Element): string | undefined => {
  const id = element.getAttribute("id") ?? element.getAttribute("name") ?? ""
  return id === "" ? undefined : `${ID_PREFIX}${id.slice(0, 200)}`
}

/** The attributes of any element that are safe with every value, or checked. */
const attributes = (element: Element): Readonly<Record<string, string | number | boolean | undefined>> => {
  const given = (name: string, pattern: RegExp) => {
    const value = element.getAttribute(name)?.toLowerCase() ?? ""
    return pattern.test(value) ? value : undefined
  }
  const title = element.getAttribute("title")
  return {
    id: idOf(element),
    className: given("class", /^(?:task|task-list-item|footnotes|footnote-ref|footnotes-sep|footnotes-list)$/),
    "data-align": given("align", /^(?:left|right|center)$/),
    dir: given("dir", /^(?:ltr|rtl|auto)$/),
    lang: given("lang", /^[a-z]{1,8}(?:-[a-z0-9]{1,8}){0,3}$/),
    title: title === null ? undefined : displayText(title),
    colSpan: numberOf(element.getAttribute("colspan")),
    rowSpan: numberOf(element.getAttribute("rowspan")),
    start: element.localName === "ol" ? numberOf(element.getAttribute("start")) : undefined,
    open: element.localName === "details" && element.hasAttribute("open") ? true : undefined
  }
}

const numberOf = (text: string | null): number | undefined =>
  text !== null && /^\d{1,4}$/.test(text) ? Number(text) : undefined

const sizes = (element: Element) => ({
  width: sizeOf(element.getAttribute("width")),
  height: sizeOf(element.getAttribute("height"))
})

/** Pixels, or a percentage up to 100. */
const sizeOf = (text: string | null): string | undefined => {
  const match = /^(\d{1,4})(px|%)?$/.exec(text?.trim() ?? "")
  return match === null ? undefined : match[2] === "%" ? `${Math.min(100, Number(match[1]))}%` : match[1]
}
