import { it } from "vitest"
import { crash } from "./Webhooks.test-support.ts"

it("100 times SIGKILL in a stream of new branches: each is told of, under one GUID", { timeout: 1_800_000 }, () =>
  crash(100)
)
