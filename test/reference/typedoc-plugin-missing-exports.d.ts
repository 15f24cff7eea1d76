/** The plugin has no declarations of its own. */
declare module "typedoc-plugin-missing-exports" {
  import type { Application } from "typedoc"

  /** Adds the plugin to an application. */
  export const load: (application: Application) => void
}
