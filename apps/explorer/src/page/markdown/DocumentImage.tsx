import { useState } from "react"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import type { DocumentLink } from "../model/DocumentLink.ts"
import * as Permalinks from "../model/Permalinks.ts"

/**
 * An image of a document. An image of the repository loads from the same commit. An image of another site is never
 * loaded: the text of the image links to the site.
 */
export const DocumentImage = ({
  alt,
  file,
  height,
  isInLink,
  link,
  width
}: {
  readonly link: DocumentLink | undefined
  readonly alt: string
  /** The document. */
  readonly file: ExplorerApi.PinnedPath
  readonly width: string | undefined
  readonly height: string | undefined
  readonly isInLink: boolean
}) => {
  const [hasFailed, setHasFailed] = useState(false)
  const text = alt === "" ? "image" : alt
  if (link?._tag === "Path" && !link.isFolder && !hasFailed) {
    return (
      <img
        src={Permalinks.rawUrl({ ...file, path: link.path })}
        alt={alt}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
        onError={() => setHasFailed(true)}
      />
    )
  }
  if (link?._tag === "External" && !isInLink) {
    return (
      <a
        className="external-image"
        href={link.url}
        target="_blank"
        rel="noopener noreferrer nofollow"
        title="Image of another site, not loaded"
      >
        {text}
      </a>
    )
  }
  return <span className="external-image">{text}</span>
}
