import * as Path from "node:path"
import { bundle } from "./bundle/Bundle.ts"

const here = import.meta.dirname

/**
 * Starts the installed Node directly, so that no second process of an older Node waits for it. To a shell, the second line is
 * a command; to Node, it is a string and a comment.
 */
const LAUNCHER = `#!/bin/sh
":" //; node="$(dirname -- "$(readlink -f -- "$0")")/../../../node_modules/node/bin/node"; [ -x "$node" ] || node=node; exec "$node" "$0" "$@"`

export default bundle({
  here,
  dist: Path.join(here, "dist"),
  page: Path.join(here, "../explorer/dist"),
  launcher: LAUNCHER
})
