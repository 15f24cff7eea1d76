import "@fontsource-variable/inter/wght.css"
import "@fontsource-variable/jetbrains-mono/wght.css"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { QueryClientProvider } from "@tanstack/react-query"
import * as ExplorerClient from "./api/ExplorerClient.ts"
import { App } from "./App.tsx"

const page = document.getElementById("page")
if (page !== null) {
  // Every view needs it: request it while React starts.
  void ExplorerClient.queryClient.prefetchQuery(ExplorerClient.queryOptions(ExplorerClient.connection, {}))
  // A function, because the user may type into the static page until React replaces it.
  const earlyInput = () => document.querySelector<HTMLInputElement>("#early")?.value ?? ""
  createRoot(page).render(
    <StrictMode>
      <QueryClientProvider client={ExplorerClient.queryClient}>
        <App earlyInput={earlyInput} />
      </QueryClientProvider>
    </StrictMode>
  )
}
