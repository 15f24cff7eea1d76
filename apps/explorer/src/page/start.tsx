import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { focusManager, QueryClientProvider } from "@tanstack/react-query"
import * as ExplorerClient from "./api/ExplorerClient.ts"
import { App } from "./App.tsx"
import * as Views from "./Views.ts"
import * as Route from "./model/Route.ts"

export const start = (): void => {
  const page = document.getElementById("page")
  if (page === null) return
  // A function, because the user may type into the static page until React replaces the page.
  const earlyInput = () => document.querySelector<HTMLInputElement>("#early")?.value ?? ""
  createRoot(page).render(
    <StrictMode>
      <QueryClientProvider client={ExplorerClient.queryClient}>
        <App earlyInput={earlyInput} />
      </QueryClientProvider>
    </StrictMode>
  )
  // By default, only a hidden page that becomes visible counts, not the way back from an editor beside the browser.
  addEventListener("focus", () => focusManager.onFocus())
  // The script loads while the page waits for the connection.
  void Views.load(Route.parse(location))
}
