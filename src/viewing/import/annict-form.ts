import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { csrfInput } from '../../web/form-markup'
import type { ImportVisit } from './import-visit'

export function annictForm(visit: ImportVisit): Markup {
  const { t, basePath } = visit.pageContext
  const { annict } = t.listImports
  return html`<details class="fold-line"><summary>${annict.title}${icon('down', 16)}</summary>
    <form method="post" action="${basePath}/settings/import/annict">${csrfInput(visit)}
      <div class="field"><label for="token">${annict.token}</label>
        <input type="password" id="token" name="token" required autocomplete="off" maxlength="500" aria-describedby="token-hint" />
        <p class="hint" id="token-hint">${annict.hint}</p></div>
      <button class="outlined">${annict.read}</button></form></details>`
}
