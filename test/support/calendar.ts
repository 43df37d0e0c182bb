import { expect } from 'bun:test'
import { createInstance } from './instance'
import { createProgrammes } from './showings'
import { createMember } from './visitor'

/** Thursday, 2026-11-19, 22:00 in Tokyo. */
export const now = Date.UTC(2026, 10, 19, 13)
export const hour = 3_600_000
export const at = (tokyo: string) => Date.parse(`${tokyo}+09:00`)

/** mio, who watches work 500 of this season, with 12 episodes and no times, in Tokyo with the 30-hour clock. */
export async function createCalendar() {
  const kiroku = await createInstance()
  const { handle } = kiroku.store
  const made = createProgrammes(handle)
  kiroku.clock.now = now
  const mio = await createMember(kiroku, 'mio')
  const prefer = (columns: Readonly<Record<string, string | number | null>>) => {
    for (const [name, value] of Object.entries(columns))
      handle.run(`update users set ${name} = ? where id = 1`, [value])
  }
  const emptied =
    'meeting_episodes meeting_people meetings own_slots changes acts records programs user_channels statuses library_entries activities'.split(
      ' ',
    )
  const reset = () => {
    for (const table of emptied) handle.run(`delete from ${table}`)
    handle.run('delete from episodes where work_id >= 500')
    handle.run('delete from works where id >= 500')
    handle.run('delete from channels where id >= 100')
    prefer({ time_zone: 'Asia/Tokyo', week_start: 1, has_long_nights: 1, language: 'en' })
    made.channel(101, '選んだ局')
    made.channel(102, 'ほかの局')
    made.work(500, { season_year: 2026, season: 'autumn' })
    made.episodes(500, 12)
    made.status(1, 500)
  }
  /** The page without what is around it. */
  const open = async (path = '/calendar') => {
    const { status, text } = await mio.open(path)
    expect([status, status === 200 ? '' : kiroku.lines.at(-2)]).toEqual([200, ''])
    return /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? ''
  }
  return { kiroku, handle, made, mio, prefer, reset, open }
}

/** The entries of each day that has some, as `time work episode kind`. */
export function daysIn(text: string): Record<string, string[]> {
  const days = text.split(/(?=<(?:section|td)[^>]*data-day=")/).slice(1)
  return Object.fromEntries(
    days.flatMap((day) => {
      const [, date = ''] = /data-day="([^"]+)"/.exec(day) ?? []
      const entries = [...day.matchAll(/<li[^>]*data-entry[\s\S]*?<\/li>/g)].map(([entry]) => {
        const parts = [/<b[^u>]*>([^<]+)/, /data-work="(\d+)/, /data-episode="(\d+)/, /data-kind="(\w+)/]
        return parts.flatMap((part) => part.exec(entry)?.[1] ?? []).join(' ')
      })
      return entries.length === 0 ? [] : [[date, entries]]
    }),
  )
}
