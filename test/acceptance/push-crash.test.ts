import { it } from "vitest"
import { expectPushCrashRecovery } from "./PushCrash.test-support.ts"

it("a SIGKILL during pushes loses no acknowledged push", { timeout: 600_000 }, () => expectPushCrashRecovery(1))
