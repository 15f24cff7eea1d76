/** Keeps what fails in a view from taking the page with it. */
import { Component, type ReactNode } from "react"
import { Notice } from "./Notice.tsx"

interface Props {
  /** Which view it is: another one is given its chance. */
  readonly of: string
  readonly children: ReactNode
}

export class ErrorBoundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidUpdate({ of }: Props) {
    if (this.state.failed && of !== this.props.of) this.setState({ failed: false })
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <Notice title="This view broke">
        <p>The explorer may have been replaced by a newer one while the page was open. Loading it again mends that.</p>
        <button type="button" onClick={() => location.reload()}>
          Load again
        </button>
      </Notice>
    )
  }
}
