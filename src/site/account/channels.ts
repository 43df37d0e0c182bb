import { sql } from 'kysely'
import { isStation } from '../../catalogue/shown'
import type { Read } from '../../db/open'
import type { RawValues } from '../../http/request-values'
import { html, type Markup } from '../../pages/html'
import { setFlash } from '../../web/flash'
import { defineAction, formText } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { definePage, member, seeOther } from '../../web/page'
import type { MemberVisit } from '../../web/visit'

const path = '/settings/channels'

/** The channels whose broadcasts the user sees: all as long as none is chosen (D39). */
export const channels = [
  definePage({ path, access: member, show: async (visit) => page(visit, await listChannels(visit)) }),
  defineAction({ path, access: member, run: choose }),
]

interface Channel {
  readonly id: number
  readonly name: string
  readonly group: string | null
  readonly isChosen: number
}

function page(visit: MemberVisit, listed: readonly Channel[]) {
  const { t, basePath } = visit
  const groups = Map.groupBy(listed, ({ group }) => group)
  return {
    title: t.channels.title,
    main: html`
      <div class="head"><h1>${t.channels.title}</h1><button form="channels">${t.common.save}</button></div>
      <p>${t.channels.explained}</p>
      <form method="post" action="${basePath}${path}" id="channels">
        ${csrfInput(visit)}
        ${[...groups].map(([name, some]) => groupOf(name ?? t.channels.others, some))}
        <button class="filled">${t.common.save}</button>
      </form>`,
  }
}

const groupOf = (name: string, some: readonly Channel[]): Markup => html`
  <fieldset class="channels">
    <legend>${name}</legend>
    ${some.map(
      ({ id, name, isChosen }) =>
        html`<label class="check-label"><input type="checkbox" name="channel_${id}" value="1"${isChosen === 1 ? html` checked` : ''} />${name}</label>`,
    )}
  </fieldset>`

async function choose(visit: MemberVisit, sent: RawValues): Promise<Response> {
  const { deps, session } = visit
  const listed = await listChannels(visit)
  const chosen = listed.filter(({ id }) => formText(sent, `channel_${id}`) !== '')
  await deps.write(async (tx) => {
    const ids = listed.map(({ id }) => id)
    await tx
      .deleteFrom('user_channels')
      .where('user_id', '=', session.userId)
      .where('channel_id', 'in', ids)
      .execute()
    for (const { id } of chosen)
      await tx.insertInto('user_channels').values({ user_id: session.userId, channel_id: id }).execute()
  })
  setFlash(visit, 'saved')
  return seeOther(visit, '/settings')
}

const listChannels = ({ deps, session }: MemberVisit): Promise<Channel[]> =>
  deps.read
    .selectFrom('channels')
    .leftJoin('channel_groups', (join) =>
      join.onRef('channel_groups.id', '=', 'channel_group_id').on('channel_groups.hidden', '=', 0),
    )
    .select([
      'channels.id',
      'channels.name',
      'channel_groups.name as group',
      isChosenBy(session.userId).as('isChosen'),
    ])
    .where('channels.hidden', '=', 0)
    .where(isStation(sql.ref('channels.id')))
    .orderBy(sql`channel_groups.id is null`)
    .orderBy('channel_groups.sort_number')
    .orderBy('channel_groups.id')
    .orderBy('channels.sort_number')
    .orderBy('channels.id')
    .execute()

const isChosenBy = (user: number) => sql<number>`exists (
  select 1 from user_channels where user_channels.user_id = ${user} and user_channels.channel_id = channels.id)`

export async function countChosenChannels(read: Read, user: number): Promise<number> {
  const { count } = await read
    .selectFrom('user_channels')
    .innerJoin('channels', 'channels.id', 'channel_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', user)
    .where('hidden', '=', 0)
    .where(isStation(sql.ref('channels.id')))
    .executeTakeFirstOrThrow()
  return count
}
