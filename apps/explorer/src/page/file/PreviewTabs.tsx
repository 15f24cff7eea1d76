/** The choice between the preview and the code of a file. */
export const PreviewTabs = ({
  isPreview,
  onChange
}: {
  readonly isPreview: boolean
  readonly onChange: (isPreview: boolean) => void
}) => (
  <div className="preview-tabs" role="group" aria-label="View" title="Preview or code (v)">
    <button type="button" aria-pressed={isPreview} aria-keyshortcuts="v" onClick={() => onChange(true)}>
      Preview
    </button>
    <button type="button" aria-pressed={!isPreview} aria-keyshortcuts="v" onClick={() => onChange(false)}>
      Code
    </button>
  </div>
)
