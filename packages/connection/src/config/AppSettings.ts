import * as Schema from "effect/Schema"

/** An app's installation, as the config file names it. */
export const AppSettings = Schema.Struct({
  /** The app's id, or its client id. */
  id: Schema.Union([Schema.String, Schema.Int]),
  installation: Schema.Int,
  /** The app's private RSA key, a PEM file. */
  keyFile: Schema.String
})
/** The settings of one installation. */
export type AppSettings = typeof AppSettings.Type
