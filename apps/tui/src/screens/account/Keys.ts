/** SSH keys: of the signed-in user, and the public keys of an account. */
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import { type CatalogEntry, entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Key, PublicKey } from "@tongs/core/contract/groups/Keys"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Document from "../../content/Document.ts"
import type { DocumentLine, LineAtTime } from "../../content/Document.ts"
import * as Route from "../../content/Route.ts"
import * as PagedSource from "../../content/PagedSource.ts"
import * as Source from "../../content/Source.ts"
import type { TableDefinition } from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as KeyText from "./KeyText.ts"

/** Keys per page: the maximum of the API. */
const PER_PAGE = 100

/** Number of characters of a fingerprint in lists. */
const SHORT_FINGERPRINT = 19

const entryOf = (name: string): CatalogEntry | undefined => entriesOfGroup("keys").find((entry) => entry.name === name)

const keyLines = (key: string, columns: number): ReadonlyArray<DocumentLine> => [
  { line: StyledLine.field("type", KeyText.typeOf(key), "accent") },
  ...StyledLine.wrap(KeyText.fingerprintOf(key), Math.max(8, columns - 10)).map((part, index) => ({
    line: StyledLine.field(index === 0 ? "print" : "", part, "id"),
    copy: KeyText.fingerprintOf(key)
  })),
  { line: StyledLine.empty },
  ...StyledLine.wrap(key, columns).map((part) => ({ line: StyledLine.line(part, "muted"), copy: key }))
]

const document = (key: Key): Document.Document =>
  Document.make(
    key.key,
    (columns) => {
      const created: LineAtTime = (now) => ({
        line: [
          ...StyledLine.field("added", RelativeTime.format(Date.parse(key.created_at), now)),
          StyledLine.span(`  ${key.created_at}`, "muted")
        ],
        copy: key.created_at
      })
      return Document.fromLines([
        ...StyledLine.wrap(key.title, columns).map((part) => ({ line: StyledLine.line(part, "title") })),
        { line: StyledLine.empty },
        created,
        { line: StyledLine.field("access", key.read_only ? "read only" : "read and write") },
        {
          line: key.verified
            ? StyledLine.field("state", "verified", "success")
            : StyledLine.field("state", "not verified", "warning")
        },
        { line: StyledLine.field("id", String(key.id), "id") },
        ...keyLines(key.key, columns)
      ])
    },
    { value: key }
  )

const table: TableDefinition<Key> = {
  hasHeader: true,
  columns: [
    { header: "TITLE", size: "grow" },
    { header: "TYPE", size: "fit", optional: 3 },
    { header: "FINGERPRINT", size: "fit", optional: 2 },
    { header: "STATE", size: "fit", optional: 4 },
    { header: "ADDED", size: "fit", align: "right", optional: 1 },
    { header: "ID", size: "fit", align: "right" }
  ],
  noun: ["SSH key", "SSH keys"],
  emptyMessage: { title: "No SSH keys", hint: "c adds the public part of a key, for example ~/.ssh/id_ed25519.pub" },
  row: (key) => ({
    id: String(key.id),
    title: key.title === "" ? KeyText.fingerprintOf(key.key) : key.title,
    copy: key.key,
    route: Route.make("keys.getForAuthenticatedUser", { key_id: key.id }),
    arguments: { key_id: key.id },
    value: key,
    cells: (now) => [
      key.title === "" ? StyledLine.line("no title", "muted") : StyledLine.line(key.title),
      StyledLine.line(KeyText.typeOf(key.key), "accent"),
      StyledLine.line(`${KeyText.fingerprintOf(key.key).slice(0, SHORT_FINGERPRINT)}…`, "muted"),
      key.verified ? StyledLine.empty : StyledLine.line("not verified", "warning"),
      StyledLine.line(RelativeTime.format(Date.parse(key.created_at), now), "muted"),
      StyledLine.line(String(key.id), "id")
    ],
    preview: () => document(key)
  })
}

const publicTable: TableDefinition<PublicKey> = {
  hasHeader: true,
  columns: [
    { header: "ID", size: "fit" },
    { header: "TYPE", size: "fit" },
    { header: "FINGERPRINT", size: "grow" }
  ],
  noun: ["SSH key", "SSH keys"],
  emptyMessage: { title: "No SSH keys", hint: "This account has no public keys" },
  row: (key) => ({
    id: String(key.id),
    title: KeyText.fingerprintOf(key.key),
    copy: key.key,
    arguments: {},
    value: key,
    cells: () => [
      StyledLine.line(String(key.id), "id"),
      StyledLine.line(KeyText.typeOf(key.key), "accent"),
      StyledLine.line(KeyText.fingerprintOf(key.key))
    ],
    preview: () => Document.make(key.key, (columns) => Document.fromLines(keyLines(key.key, columns)), { value: key })
  })
}

/** The screens of SSH keys. */
export const screens: ReadonlyArray<Screen> = [
  {
    id: "keys.listForAuthenticatedUser",
    label: "keys",
    get entry() {
      return entryOf("listForAuthenticatedUser")
    },
    required: [],
    title: () => "SSH keys",
    open: (environment) =>
      PagedSource.make(environment, {
        definition: table,
        fetch: (forge, { cursor: _cursor, ...options }) => forge.keys.listForAuthenticatedUser({}, options).first,
        isNumbered: true,
        perPage: PER_PAGE
      })
  },
  {
    id: "keys.getForAuthenticatedUser",
    label: "key",
    get entry() {
      return entryOf("getForAuthenticatedUser")
    },
    required: ["key_id"],
    title: (values) => `key ${text(values, "key_id")}`,
    open: (environment, values) =>
      Source.fromEffect(
        environment,
        (forge, options) => forge.keys.getForAuthenticatedUser({ key_id: Number(text(values, "key_id")) }, options),
        document,
        ResponseAge.age
      )
  },
  {
    id: "keys.listForUser",
    label: "keys",
    get entry() {
      return entryOf("listForUser")
    },
    required: ["username"],
    title: () => "SSH keys",
    open: (environment, values) =>
      PagedSource.make(environment, {
        definition: publicTable,
        fetch: (forge, { cursor: _cursor, ...options }) =>
          forge.keys.listForUser({ username: text(values, "username") }, options).first,
        isNumbered: true,
        perPage: PER_PAGE
      })
  }
]
