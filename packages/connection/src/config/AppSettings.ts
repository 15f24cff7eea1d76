import * as Schema from "effect/Schema"

/** The config file's settings for authenticating as the installation of an app. */
export const AppSettings = Schema.Struct({
  /** The id or the client id of the app. */
  id: Schema.Union([Schema.String, Schema.Int]),
  installation: Schema.Int,
  /** Path of the PEM file with the app's private RSA key. */
  keyFile: Schema.String
})
/** Settings for authenticating as the installation of an app. */
export type AppSettings = typeof AppSettings.Type
