import { it } from "vitest"
import { crash } from "./Crash.test-support.ts"

it("15 times SIGKILL under writes and deliveries: nothing acknowledged is lost", { timeout: 600_000 }, () => crash(15))
