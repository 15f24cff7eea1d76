import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as Permalinks from "../model/Permalinks.ts"
import type * as Route from "../model/Route.ts"
import { Icon } from "./Icon.tsx"
import { ToolbarCopyButton } from "./Toolbar.tsx"

/**
 * The links of a file without text: to copy the permalink, and to open the bytes. `raw` is the label of the link to the
 * bytes.
 */
export const FileLinks = ({
  file,
  raw,
  route
}: {
  readonly file: ExplorerApi.File
  readonly route: Route.File
  readonly raw?: string | undefined
}) => (
  <>
    <ToolbarCopyButton
      icon="link"
      label="Link"
      text={() => Permalinks.absoluteUrl(Permalinks.permalink(route, Permalinks.commitOf(file)))}
    />
    {raw !== undefined && (
      <a
        className="tool"
        href={Permalinks.rawUrl(file)}
        {...(raw === "Download" ? { download: "" } : { target: "_blank", rel: "noopener" })}
        aria-label={raw}
        title={raw}
      >
        <Icon name="raw" />
        <span aria-hidden="true">{raw}</span>
      </a>
    )}
  </>
)
