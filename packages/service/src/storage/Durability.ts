/** Whether writes are flushed to the disk before success is reported. */
import * as Context from "effect/Context"

/** True by default. False for data that is useless after the process, as in tests: several times as fast. */
export const Durability = Context.Reference("@tongs/service/storage/Durability", { defaultValue: () => true })
