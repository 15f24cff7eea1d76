/** An app's installation, as a person names it. */
import * as Schema from "effect/Schema"

export const AppSettings = Schema.Struct({
  /** The app's id, or its client id. */
  id: Schema.Union([Schema.String, Schema.Int]),
  installation: Schema.Int,
  /** The app's private RSA key, a PEM file. */
  keyFile: Schema.String
})
export type AppSettings = typeof AppSettings.Type
