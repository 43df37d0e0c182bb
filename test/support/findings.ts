import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'

/** The rules about what differs between the looks: colours, sizes and the language. */
export const rulesOfLooks: readonly string[] = ['color-contrast', 'target-size', 'html-lang-valid']

const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
const laterDefinition = `globalThis.defineAxe = () => { ${source} }`
const define = "typeof axe === 'object' || (typeof defineAxe === 'function' && (defineAxe(), true))"

/** Contexts that hand axe to their new documents. */
const prepared = new WeakSet<BrowserContext>()

/** Defines axe in a document, and lets later ones of the context define it themselves: it takes longer to send than to run. */
async function addAxe(page: Page): Promise<void> {
  if (await page.evaluate(define)) return
  await page.evaluate(source)
  const context = page.context()
  if (prepared.has(context)) return
  prepared.add(context)
  await context.addInitScript(laterDefinition)
}

/** What axe finds against WCAG 2.2 AA and its best practices, one line per rule and place; by some rules where given. */
export async function findings(page: Page, rules?: readonly string[]): Promise<string[]> {
  await addAxe(page)
  // The lines need no selectors, which take a fifth of the time.
  const options = { resultTypes: ['violations'], selectors: false, ...(rules && { runOnly: rules }) }
  const { violations }: AxeResults = await page.evaluate(`axe.run(${JSON.stringify(options)})`)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** What is wrong with a page as it is laid out: wider than the screen, or targets out of sight or too small to hit (WCAG 2.5.8). */
export const layoutProblems = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const small = [...document.querySelectorAll('button, input:not([type=hidden]), select')].filter((element) => {
      const { width, height } = element.getBoundingClientRect()
      return width > 0 && (width < 20 || height < 20)
    })
    const hidden = [...document.querySelectorAll('button')].filter((element) => {
      return element.checkVisibility() && element.getBoundingClientRect().right > clientWidth
    })
    const wide = scrollWidth > clientWidth ? ['wider than the screen'] : []
    const named = (what, elements) => elements.map((element) => what + ': ' + element.outerHTML)
    return [...wide, ...named('out of sight', hidden), ...named('too small', small)]
  })()`)
