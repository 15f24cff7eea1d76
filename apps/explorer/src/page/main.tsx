import "@fontsource-variable/inter/wght.css"
import "@fontsource-variable/jetbrains-mono/wght.css"
import "./page.css"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { QueryClientProvider } from "@tanstack/react-query"
import * as Api from "./Api.ts"
import { App } from "./App.tsx"

const page = document.getElementById("page")
if (page !== null) {
  createRoot(page).render(
    <StrictMode>
      <QueryClientProvider client={Api.client}>
        <App />
      </QueryClientProvider>
    </StrictMode>
  )
}
