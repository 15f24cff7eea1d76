import * as Schema from "effect/Schema"

/** The config file's settings for authenticating as the installation of an app. */
export const AppSettings = Schema.Struct({
  /** The app's id, or its client id. */
  id: Schema.Union([Schema.String, Schema.Int]),
  installation: Schema.Int,
  /** Path of the PEM file with the app's private RSA key. */
  keyFile: Schema.String
})
/** Settings for authenticating as the installation of an app. */
export type AppSettings = typeof AppSettings.Type
