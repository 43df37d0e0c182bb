import { html } from '../../pages/html'
import { titled } from '../../pages/layout'
import { disableSource, enableSource, type GivenSettings } from '../../sources/run/settings'
import { anyText, matching } from '../../values/text'
import { InvalidValue, mapped } from '../../values/value'
import { textField } from '../../web/fields'
import { defineAction, defineForm } from '../../web/form'
import { administrator, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { confirmation } from '../confirmation'
import { sourcePath } from './run-text'
import { sourceIn } from './source-text'

const token = matching('^[!-~]{1,500}$', (t) => t.catalogue.tokenRule)

/**
 * Only the command accepts folders and files, because they are on the server's machine. `URL` ignores control characters
 * and much else, which would make a path of the text as it was sent.
 */
const location = mapped(anyText, (sent) => {
  const text = sent.trim()
  const url = /^https:\/\/[!-~]+$/i.test(text) && text.length <= 1000 ? URL.parse(text) : null
  const isFine = url?.protocol === 'https:' && url.username === '' && url.password === ''
  return isFine ? text : new InvalidValue((t) => t.catalogue.locationRule)
})

export const sourceForms: readonly PageRoute[] = [
  ...defineForm({
    path: `${sourcePath(':name')}/token`,
    access: administrator,
    fields: { token: textField({ label: (t) => t.catalogue.token, value: token }) },
    button: (t) => t.common.save,
    show: async (visit, form) => {
      const { source } = await sourceThatTakes(visit, 'token')
      const { t } = visit
      return titled(t.catalogue.tokenTitle(source.title), html`<p>${t.catalogue.tokenExplained}</p>${form}`)
    },
    submit: enable,
  }),
  ...defineForm({
    path: `${sourcePath(':name')}/location`,
    access: administrator,
    fields: { location: textField({ label: (t) => t.catalogue.location, value: location }) },
    button: (t) => t.common.save,
    initial: async (visit) => ({ location: (await sourceIn(visit)).location ?? '' }),
    show: async (visit, form) => {
      const { source } = await sourceThatTakes(visit, 'location')
      const { t } = visit
      const command = html`<code>kiroku catalogue sources enable ${source.name}</code>`
      const hint = html`<p class="meta">${t.catalogue.locationHint} ${command}</p>`
      return titled(t.catalogue.locationTitle(source.title), html`${form}${hint}`)
    },
    submit: enable,
  }),
  defineAction({
    path: `${sourcePath(':name')}/enable`,
    access: administrator,
    run: (visit) => enable(visit, {}),
  }),
  ...defineForm({
    path: `${sourcePath(':name')}/disable`,
    access: administrator,
    fields: {},
    button: (t) => t.catalogue.switchOff,
    isDestructive: true,
    show: async (visit, form) => {
      const { source } = await sourceIn(visit)
      return confirmation(visit, form, {
        title: (t) => t.catalogue.switchOffTitle(source.title),
        text: (t) => t.catalogue.switchOffExplained,
        back: sourcePath(source.name),
      })
    },
    submit: async (visit) => {
      const { source } = await sourceIn(visit)
      await disableSource(visit.deps, source.name)
      note(visit, source.name, 'disabled')
      return seeOther(visit, sourcePath(source.name))
    },
  }),
]

async function sourceThatTakes(visit: MemberVisit, setting: 'token' | 'location') {
  const listed = await sourceIn(visit)
  if (!listed.source.settings.includes(setting)) throw pageNotFound()
  return listed
}

/** Redirects to the page that asks for what is missing. */
async function enable(visit: MemberVisit, given: GivenSettings): Promise<Response> {
  const { source } = await sourceIn(visit)
  const path = sourcePath(source.name)
  if (source.intervalMs === undefined) throw pageNotFound()
  const outcome = await enableSource(visit.deps, source, given)
  if (outcome !== 'enabled') return seeOther(visit, `${path}/${outcome}`)
  note(visit, source.name, 'enabled')
  return seeOther(visit, path)
}

const note = ({ deps, context, session }: MemberVisit, source: string, change: 'enabled' | 'disabled') =>
  deps.log('source_set', { id: context.id, source, change, by: session.userId })
