import "@fontsource-variable/inter/wght.css"
import "@fontsource-variable/jetbrains-mono/wght.css"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { QueryClientProvider } from "@tanstack/react-query"
import * as Api from "./Api.ts"
import { App } from "./App.tsx"

const page = document.getElementById("page")
if (page !== null) {
  // Every view needs it: request it while React starts.
  void Api.client.prefetchQuery(Api.query(Api.connection, {}))
  // A function, because the user may type into the static page until React replaces it.
  const earlyInput = () => document.querySelector<HTMLInputElement>("#early")?.value ?? ""
  createRoot(page).render(
    <StrictMode>
      <QueryClientProvider client={Api.client}>
        <App earlyInput={earlyInput} />
      </QueryClientProvider>
    </StrictMode>
  )
}
