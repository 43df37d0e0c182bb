import { sql } from 'kysely'
import type { CatalogueChange } from '../../catalogue/edit/change'
import { listOfWork } from '../../catalogue/edit/episode-list'
import { addSlot, type ChannelSlot, shiftPrograms } from '../../catalogue/edit/slot-edit'
import { broadcastsFor, eveningsOf, mostWeeks, readSkips } from '../../catalogue/edit/slot-plan'
import { preparedSql } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { type RawValues, textOrBlank } from '../../http/request-values'
import { slotClock, slotDay } from '../../library/showings/slots'
import type { Message } from '../../messages/languages'
import type { PageContent } from '../../pages/layout'
import { integerUpTo, positiveInteger } from '../../values/number'
import { lineUpTo, oneOf } from '../../values/text'
import { InvalidValue, orBlank, type Value } from '../../values/value'
import { setFlash } from '../../web/flash'
import { defineAction } from '../../web/form'
import { type PageRoute, seeOther } from '../../web/page'
import { FormProblem, pageNotFound } from '../../web/problem'
import { type MemberVisit, readOrNotFound } from '../../web/visit'
import { findWork, type ShownWork } from '../work/view'
import { programsPage, showPrograms } from './programs'
import { editorsOnly } from './save'
import { saveList } from './save-list'

const list = '/works/:id/edit/programs'

export const programEditing: readonly PageRoute[] = [
  programsPage,
  defineAction({ path: list, access: editorsOnly, run: addSlotOf }),
  ...(['shift_program', 'drop_program'] as const).map((act) =>
    defineAction({
      path: `${list}/:program/${act}`,
      access: editorsOnly,
      run: async (visit, sent) => {
        const work = await findWork(visit)
        const id = readOrNotFound(positiveInteger, visit.params.program)
        const [program] = await oneProgram(visit.deps.read, { id, work: work.id })
        if (program === undefined) throw pageNotFound()
        const change = await saveList(visit, work, sent, (edit) => {
          if (act === 'drop_program') edit.change.setHidden('program', id, true)
          else shiftPrograms(edit, id, 1)
        })
        return done(visit, work, change)
      },
    }),
  ),
]

// uses the primary key
const oneProgram = preparedSql<{ id: number }, { id: number; work: number }>(
  (slot) =>
    sql`select id from programs where id = ${slot('id')} and work_id = ${slot('work')} and hidden = 0`,
)

function done(visit: MemberVisit, work: ShownWork, change: number | undefined): Response {
  setFlash(visit, change === undefined ? 'unedited' : 'edited', change)
  return seeOther(visit, `/works/${work.id}/edit/programs`)
}

const slotFields = [
  ...['channel_id', 'channel_name', 'begins_on', 'at', 'every', 'weeks', 'skips', 'first_episode', 'at_once'],
  'source_url',
]

async function addSlotOf(visit: MemberVisit, sent: RawValues): Promise<PageContent | Response> {
  const work = await findWork(visit)
  const texts = Object.fromEntries(slotFields.map((name) => [name, textOrBlank(sent, name)]))
  try {
    const { channel_id, channel_name, slot, episodes } = await readSlot(visit, work, sent)
    if (textOrBlank(sent, 'step') === 'preview') {
      const preview = { evenings: eveningsOf(slot, episodes.length), episodes }
      return await showPrograms(visit, work, { texts, preview })
    }
    const id = await saveList(visit, work, sent, async ({ handle, change, work }, tx) => {
      const channel = await channelOf(tx, change, channel_id, channel_name)
      addSlot({ handle, change, work }, { ...slot, channel }, visit.deps.now())
    })
    return done(visit, work, id)
  } catch (cause) {
    if (!(cause instanceof FormProblem)) throw cause
    const page = await showPrograms(visit, work, { texts, problem: cause.text })
    return { ...page, status: cause.status, headers: cause.headers }
  }
}

const labels: Readonly<Record<string, Message>> = {
  channel_id: (t) => t.programList.channel,
  channel_name: (t) => t.programList.otherChannel,
  begins_on: (t) => t.programList.beginsOn,
  at: (t) => t.programList.at,
  weeks: (t) => t.programList.times,
  first_episode: (t) => t.programList.firstEpisode,
  at_once: (t) => t.programList.atOnce,
}

/** Throws `FormProblem` with the field's name. */
function read<T>(sent: RawValues, name: string, value: Value<T>): T {
  const result = value.read(textOrBlank(sent, name).normalize('NFKC').trim())
  if (!(result instanceof InvalidValue)) return result
  throw new FormProblem(name, (t) => `${labels[name]?.(t) ?? name}${t.common.colon}${result.rule(t)}`)
}

async function readSlot({ deps }: MemberVisit, work: ShownWork, sent: RawValues) {
  const channel_id = read(sent, 'channel_id', orBlank(positiveInteger, undefined))
  const channel_name = read(sent, 'channel_name', orBlank(lineUpTo(100), ''))
  if (channel_id === undefined && channel_name === '')
    throw new FormProblem('channel_id', (t) => t.programList.noChannel)
  const beginsOn = read(sent, 'begins_on', slotDay)
  if (beginsOn < '1950' || beginsOn > '2100') throw new FormProblem('begins_on', (t) => t.programList.farDay)
  const every = Number(read(sent, 'every', oneOf(['', '1', '7', '14'])) || 7)
  const skips = readSkips(textOrBlank(sent, 'skips'), { beginsOn, every })
  if (typeof skips === 'string') throw new FormProblem('skips', (t) => t.programList.badSkip(skips))
  const first = read(sent, 'first_episode', orBlank(integerUpTo(2000), 1))
  const atOnce = read(sent, 'at_once', orBlank(integerUpTo(100), 1))
  const weeks = read(sent, 'weeks', orBlank(integerUpTo(mostWeeks), undefined))
  const rows = (await listOfWork(deps.read, { work: work.id })).filter(({ hidden }) => hidden === 0)
  const at = rows.findIndex(({ number }) => number === String(first))
  const episodes = at === -1 ? [] : rows.slice(at)
  if (episodes.length < atOnce + (weeks ?? 1) - 1)
    throw new FormProblem('weeks', (t) => t.programList.listTooShort(broadcastsFor(episodes.length, atOnce)))
  const minute = read(sent, 'at', slotClock)
  const slot: Omit<ChannelSlot, 'channel'> = {
    ...{ beginsOn, minute, every, weeks, skips, atOnce },
    firstPlace: at + 1,
  }
  return { channel_id, channel_name, slot, episodes }
}

/** The chosen one, or that of a name, which may be new. */
async function channelOf(
  tx: Tx,
  change: CatalogueChange,
  id: number | undefined,
  name: string,
): Promise<number> {
  const known = await tx
    .selectFrom('channels')
    .select('id')
    .where('hidden', '=', 0)
    .where((eb) => (id === undefined ? eb('name', '=', name) : eb('id', '=', id)))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (known !== undefined) return known.id
  if (id !== undefined) throw new FormProblem('channel_id', (t) => t.form.notOffered)
  return change.create('channel', { name })
}
