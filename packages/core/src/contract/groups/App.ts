/** GitHub Apps: the summary in other resources. */
import * as Schema from "effect/Schema"
import * as Presentation from "../Presentation.ts"
import { ExternalUrl, Timestamp } from "../Scalars.ts"
import { UserSummary } from "./User.ts"

/** An app. */
export const App = Schema.Struct({
  id: Schema.Int,
  slug: Schema.optionalKey(Schema.String),
  node_id: Schema.String,
  client_id: Schema.optionalKey(Schema.String),
  /** Null if the app has no owner, and the forge no administrator. */
  owner: Schema.NullOr(UserSummary),
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  external_url: ExternalUrl,
  html_url: Schema.String,
  created_at: Timestamp,
  updated_at: Timestamp,
  permissions: Schema.Record(Schema.String, Schema.String),
  events: Schema.Array(Schema.String),
  installations_count: Schema.optionalKey(Schema.Int)
}).annotate({
  identifier: "App",
  ...Presentation.of({
    columns: { ID: "id", NAME: "name", UPDATED: "updated_at" },
    title: "name",
    inline: true,
    arguments: { app_id: "id", app_slug: "slug" }
  })
})
export type App = typeof App.Type
