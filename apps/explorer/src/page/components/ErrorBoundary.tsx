import { Component, type ReactNode } from "react"
import { Notice } from "./Notice.tsx"

interface Props {
  /** The URL of the view. A new one resets the boundary. */
  readonly url: string
  readonly children: ReactNode
}

/** Shows a notice in place of a view that throws, and keeps the rest of the page. */
export class ErrorBoundary extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidUpdate({ url }: Props) {
    if (this.state.hasFailed && url !== this.props.url) this.setState({ hasFailed: false })
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <Notice title="This view failed">
        <p>The explorer may have been updated while the page was open. Reload the page.</p>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </Notice>
    )
  }
}
