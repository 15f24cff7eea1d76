/** Leads the requests of a process to `https://api.github.com` to the forge at `FORGE_URL`, by `node --import`. */
import { intercept } from "@tongs/testing/intercept"

intercept({ url: process.env.FORGE_URL })
