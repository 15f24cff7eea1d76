import "@fontsource-variable/inter/wght.css"
import "@fontsource-variable/jetbrains-mono/wght.css"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { QueryClientProvider } from "@tanstack/react-query"
import * as Api from "./Api.ts"
import { App } from "./App.tsx"

const page = document.getElementById("page")
if (page !== null) {
  // What a view needs first is on its way while React starts.
  void Api.client.prefetchQuery(Api.query(Api.connection, {}))
  // Read when the page takes its place: until then one types on.
  const early = () => document.querySelector<HTMLInputElement>("#early")?.value ?? ""
  createRoot(page).render(
    <StrictMode>
      <QueryClientProvider client={Api.client}>
        <App early={early} />
      </QueryClientProvider>
    </StrictMode>
  )
}
