import { type NoticeKind, noticeKindNames } from '../../accounts/account/unread'
import type { Tx } from '../../db/write'
import { changeEvents, chosenWords, listDestinations, mostDestinations } from '../../delivery/destinations'
import { type DestinationKind, newsWords } from '../../delivery/message'
import {
  changedWords,
  changeSettings,
  clockText,
  notificationSettings,
  type WordChange,
  wordsIn,
} from '../../delivery/settings'
import type { RawValues } from '../../http/request-values'
import type { Messages } from '../../messages/en'
import { pageScript } from '../../pages/assets'
import { html, type Markup } from '../../pages/html'
import { clockTime } from '../../values/time'
import type { InvalidValue } from '../../values/value'
import { textField } from '../../web/fields'
import { setFlash } from '../../web/flash'
import { defineForm, formText } from '../../web/form'
import { member, seeOther } from '../../web/page'
import type { MemberVisit } from '../../web/visit'
import { browserSection } from './browser'
import { destinationsPath, destinationTable } from './destinations'

/** Null for an empty field. */
const hourField = (label: 'quietFrom' | 'quietTo') => ({
  ...textField({ label: (t) => t.destinations[label], optional: true, limit: 5 }),
  read: (text: string): number | null | InvalidValue =>
    text.trim() === '' ? null : clockTime.read(text.trim()),
})

/**
 * Which kinds of news come by which way. The form says what it showed, and only what was changed in it is written: what a
 * program changed meanwhile, or made, stays.
 */
export const notificationSettingsPage = defineForm({
  path: destinationsPath,
  access: member,
  fields: { quiet_from: hourField('quietFrom'), quiet_to: hourField('quietTo') },
  initial: async ({ deps, session }) => {
    const { quiet_from, quiet_to } = await notificationSettings(deps.read, session.userId)
    return { quiet_from: clockText(quiet_from), quiet_to: clockText(quiet_to) }
  },
  button: (t) => t.common.save,
  above: async (visit, sent) => {
    const { t } = visit
    const { quiet_from, quiet_to } = await notificationSettings(visit.deps.read, visit.session.userId)
    const shown = { quiet_from: clockText(quiet_from), quiet_to: clockText(quiet_to) }
    return html`${matrix(visit, await waysOf(visit), sent)}
      ${Object.entries(shown).map(([name, text]) => html`<input type="hidden" name="shown_${name}" value="${sent === undefined ? text : formText(sent, `shown_${name}`)}" />`)}
      <h2>${t.destinations.quiet}</h2>
      <p class="hint">${t.destinations.quietHint}</p>`
  },
  show: async (visit, form) => {
    const { t, basePath, deps, session } = visit
    const all = await listDestinations(deps.read, session.userId)
    const main = html`<h1>${t.destinations.title}</h1>
      <p>${t.destinations.explained}</p>
      ${deps.mail === undefined ? html`<p class="soft">${t.destinations.noMail}</p>` : ''}
      <div class="news-settings">${form}
        <section><div class="head"><h2>${t.destinations.list} <span class="soft">${all.filter(({ kind }) => kind !== 'push').length} / ${mostDestinations}</span></h2><a class="button small" href="${basePath}${destinationsPath}/new">${t.destinations.add}</a></div>
        ${await browserSection(visit, all)}
        ${all.length === 0 ? html`<p class="soft">${t.destinations.none}</p>` : destinationTable(visit, all)}</section>
      </div>`
    return { title: t.destinations.title, main, head: pageScript(visit, 'push.js') }
  },
  submit: async (visit, { quiet_from, quiet_to }, sent) => {
    const { deps, session } = visit
    const isSame = (name: 'quiet_from' | 'quiet_to') =>
      formText(sent, name).trim() === formText(sent, `shown_${name}`)
    const hours = {
      ...(!isSame('quiet_from') && { quiet_from }),
      ...(!isSame('quiet_to') && { quiet_to }),
    }
    const changes = (await waysOf(visit)).flatMap(({ id }) => changeOf(id, sent) ?? [])
    await deps.write(async (tx) => {
      await changeSettings(tx, session.userId, hours)
      for (const change of changes) await changeWay(tx, session.userId, change)
    })
    setFlash(visit, 'saved')
    return seeOther(visit, destinationsPath)
  },
})

type NewsRow = NoticeKind | 'record'

/** A column. */
interface NewsWay {
  /** `here`, `digest` (by e-mail), or the id of a destination. */
  readonly id: string
  readonly name: string
  readonly detail: string
  readonly chosen: readonly string[]
  readonly takesRecords: boolean
}

async function waysOf({ t, deps, session }: MemberVisit): Promise<readonly NewsWay[]> {
  const { here, digest } = await notificationSettings(deps.read, session.userId)
  const destinations = await listDestinations(deps.read, session.userId)
  return [
    { id: 'here', name: t.destinations.here, detail: '', chosen: here, takesRecords: false },
    ...(deps.mail === undefined
      ? []
      : [
          {
            ...{ id: 'digest', name: t.destinations.mail, detail: t.destinations.mailAt },
            ...{ chosen: digest, takesRecords: false },
          },
        ]),
    ...destinations.map(({ id, kind, host, events, session_id }) => ({
      ...{ id: String(id), name: wayName(t, kind, session_id === session.id), detail: host },
      ...{
        chosen: chosenWords(events),
        takesRecords: kind === 'webhook' || wordsIn(events).includes('record'),
      },
    })),
  ]
}

function wayName({ destinations }: Messages, kind: DestinationKind, isHere: boolean): string {
  if (kind !== 'push') return destinations.kinds[kind]
  return isHere ? destinations.thisBrowser : destinations.otherBrowser
}

const rowsOf = ({ session }: MemberVisit): readonly NewsRow[] => [
  ...noticeKindNames.filter((kind) => kind !== 'report' || session.isAdmin),
  'record',
]

/** As it was sent, or else as it is. */
function matrix(visit: MemberVisit, ways: readonly NewsWay[], sent: RawValues | undefined): Markup {
  const { t } = visit
  const rows = rowsOf(visit)
  const isChosen = (way: NewsWay, row: NewsRow) =>
    sent === undefined || !sent.has(`shown_${way.id}`)
      ? way.chosen.includes(row)
      : formText(sent, `${way.id}_${row}`) !== ''
  const cell = (way: NewsWay, row: NewsRow) => {
    const label = `${t.destinations.rows[row].name}${t.common.colon}${way.name} ${way.detail}`.trim()
    const box = html`<label><input type="checkbox" name="${way.id}_${row}" value="1" aria-label="${label}"${isChosen(way, row) ? html` checked` : ''} /></label>`
    return html`<td role="cell" data-label="${`${way.name} ${way.detail}`.trim()}">${row !== 'record' || way.takesRecords ? box : html`<span class="soft">—</span>`}</td>`
  }
  return html`<div class="scroll"><table role="table" class="matrix">
      <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${t.destinations.what}</th>${ways.map(({ name, detail }) => html`<th role="columnheader" scope="col">${name}<span>${detail}</span></th>`)}</tr></thead>
      <tbody role="rowgroup">${rows.map((row) => html`<tr role="row"><th role="rowheader" scope="row">${t.destinations.rows[row].name}<span class="meta">${t.destinations.rows[row].hint}</span></th>${ways.map((way) => cell(way, row))}</tr>`)}</tbody>
    </table></div>
    ${ways.map((way) => html`<input type="hidden" name="shown_${way.id}" value="${shownOf(way, rows, sent)}" />`)}`
}

const shownOf = (way: NewsWay, rows: readonly NewsRow[], sent: RawValues | undefined): string =>
  sent?.has(`shown_${way.id}`)
    ? formText(sent, `shown_${way.id}`)
    : rows.filter((row) => way.chosen.includes(row)).join(',')

interface WayChange extends WordChange {
  readonly id: string
}

/** Undefined for a way that the form did not show. */
function changeOf(id: string, sent: RawValues): WayChange | undefined {
  if (!sent.has(`shown_${id}`)) return undefined
  const before = wordsIn(formText(sent, `shown_${id}`))
  const after = newsWords.filter((word) => formText(sent, `${id}_${word}`) !== '')
  return {
    id,
    added: after.filter((word) => !before.includes(word)),
    removed: before.filter((word) => !after.some((one) => one === word)),
  }
}

async function changeWay(tx: Tx, userId: number, { id, ...change }: WayChange): Promise<void> {
  if (id !== 'here' && id !== 'digest') return await changeEvents(tx, userId, Number(id), change)
  const words = changedWords((await notificationSettings(tx, userId))[id], change)
  await changeSettings(tx, userId, { [id]: noticeKindNames.filter((kind) => words.includes(kind)) })
}
