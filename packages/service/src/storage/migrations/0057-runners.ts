import * as TableDefinitions from "../TableDefinitions.ts"

// The address of the process in its cluster, or null for a single process, whose process id tells enough.
export const runners = TableDefinitions.run("ALTER TABLE ref_changes ADD COLUMN runner TEXT")
