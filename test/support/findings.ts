import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

/** The rules about what differs between the looks: colours, sizes and the language. */
export const rulesOfLooks: readonly string[] = ['color-contrast', 'target-size', 'html-lang-valid']

const source = readFileSync(require.resolve('axe-core/axe.min.js'))
const axePath = '/axe-core.js'

/**
 * The test server's response with axe to a page that requests it. Sending axe to every document by the browser's
 * protocol costs 40 ms of CPU time each; a script of the site is compiled once per process.
 */
export const axeAnswer = (url: string): Response | undefined =>
  url.endsWith(axePath)
    ? new Response(source, {
        headers: { 'content-type': 'text/javascript', 'cache-control': 'max-age=3600' },
      })
    : undefined

const define = `typeof axe === 'object' || new Promise((done, fail) => {
  const script = document.createElement('script')
  Object.assign(script, { src: '${axePath}', onload: done, onerror: fail })
  document.head.append(script)
  script.remove()
}).then(() => axe.configure({ noHtml: true }))`

/** The part of a page that axe checks: within the elements of one selector, without those of others. */
interface Part {
  readonly within?: string | undefined
  readonly without?: readonly string[]
}

/**
 * What axe finds against WCAG 2.2 AA and its best practices, one line per rule and place; optionally by some rules only.
 */
export async function findings(
  page: Page,
  rules?: readonly string[],
  { within, without = [] }: Part = {},
): Promise<string[]> {
  await page.evaluate(define)
  const options = {
    ...{ resultTypes: ['violations'], elementRef: true, ...costly },
    ...(rules && { runOnly: rules }),
  }
  const part = { ...(within && { include: [within] }), exclude: without }
  return await page.evaluate(`(${run})(${JSON.stringify(part)}, ${JSON.stringify(options)})`)
}

/** The lines need no selectors, and no rule that can find anything needs style sheets fetched again. */
const costly = { selectors: false, preload: false }

/** Sends only the lines: axe's whole result takes twice as long. */
const run = `async (part, options) => {
  const { violations } = await axe.run(part, options)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ element }) => id + ': ' + element.outerHTML.slice(0, 300)))
}`

/** Layout problems of a page: wider than the screen, or targets out of sight or too small (WCAG 2.5.8). */
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
