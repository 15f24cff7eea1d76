import { useState } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { Notice } from "../components/Notice.tsx"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import * as Permalinks from "../model/Permalinks.ts"
import { displayText } from "../model/displayText.ts"
import { FileInfo } from "./FileInfo.tsx"
import { FileLinks } from "./FileLinks.tsx"
import { Toolbar, ToolbarButton } from "./Toolbar.tsx"
import type * as Route from "../model/Route.ts"

/** Bytes above which an image is shown only on request. */
const LARGE = 10_000_000

const MIN_ZOOM = 1 / 16
const MAX_ZOOM = 16

/** An image with its size, and the zoom. The browser loads the file as an image, so that no script in the file runs. */
export const ImageView = ({ file, route }: { readonly file: ExplorerApi.File; readonly route: Route.File }) => {
  const [isShown, setIsShown] = useState(file.size <= LARGE)
  const [size, setSize] = useState<{ readonly width: number; readonly height: number }>()
  const [hasFailed, setHasFailed] = useState(false)
  /** Undefined to fit the window. */
  const [zoom, setZoom] = useState<number>()
  const scale = (by: number) => setZoom((zoom) => Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, (zoom ?? 1) * by)))
  useKeyboardShortcuts({
    "+": () => scale(2),
    "=": () => scale(2),
    "-": () => scale(1 / 2),
    "0": () => setZoom(undefined),
    "1": () => setZoom(1)
  })
  const isReady = size !== undefined && !hasFailed
  return (
    <>
      <Toolbar
        info={
          <>
            {size !== undefined && size.width > 0 && (
              <span>
                {size.width} × {size.height}
              </span>
            )}
            <FileInfo file={file} />
          </>
        }
      >
        {isReady && (
          <>
            <ToolbarButton icon="minus" label="Zoom out" shortcut="-" onClick={() => scale(1 / 2)} />
            <span className="zoom" role="status">
              {zoom === undefined ? "Fit" : `${NumberFormat.format(Math.round(zoom * 100))} %`}
            </span>
            <ToolbarButton icon="plus" label="Zoom in" shortcut="+" onClick={() => scale(2)} />
            <ToolbarButton
              icon="fit"
              label={zoom === undefined ? "Actual size" : "Fit"}
              shortcut={zoom === undefined ? "1" : "0"}
              onClick={() => setZoom(zoom === undefined ? 1 : undefined)}
            />
          </>
        )}
        <FileLinks file={file} route={route} raw="Raw" />
      </Toolbar>
      <div className="pane image-pane">
        {!isShown ? (
          <Notice title="Large image">
            <p>This image has {NumberFormat.bytes(file.size)}.</p>
            <button type="button" onClick={() => setIsShown(true)}>
              Show the image
            </button>
          </Notice>
        ) : hasFailed ? (
          <Notice title="Broken image">
            <p>The browser cannot show this image. It may be damaged, or only a pointer to a large file.</p>
          </Notice>
        ) : (
          <div
            className="image-preview"
            data-fit={zoom === undefined ? "" : undefined}
            tabIndex={0}
            role="group"
            aria-label="Image"
          >
            <img
              src={Permalinks.rawUrl(file)}
              alt={displayText(route.path)}
              style={zoom === undefined || size === undefined ? {} : { width: size.width * zoom, height: "auto" }}
              data-pixels={zoom !== undefined && zoom > 1 ? "" : undefined}
              onLoad={({ currentTarget: { naturalHeight: height, naturalWidth: width } }) => setSize({ width, height })}
              onError={() => setHasFailed(true)}
            />
          </div>
        )}
      </div>
    </>
  )
}
