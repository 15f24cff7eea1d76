/** The entry of the page. Sends the first requests, and loads React and the page meanwhile, each in a separate task. */
import "@fontsource-variable/inter/wght.css"
import "@fontsource-variable/jetbrains-mono/wght.css"
import * as EarlyRequests from "./api/EarlyRequests.ts"
import * as Route from "./model/Route.ts"

EarlyRequests.start(Route.parse(location))
await import("react-dom/client")
const { start } = await import("./start.tsx")
start()
