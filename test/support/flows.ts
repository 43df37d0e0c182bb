import type { BrowserContext, Page } from 'playwright-core'
import { cookieName } from '../../src/web/cookies'
import type { Site } from './chromium'
import { fill, type Rows } from './seed'
import { createMember } from './visitor'

/** Works to log: a current series, an estimated list, a film of 2019, a series watched to its end. */
export const works = { onAir: 101, estimated: 102, film: 103, complete: 104, planned: 105 } as const

const episodesOf = (work: number, count: number, estimated = 0) =>
  Array.from({ length: count }, (_, index) => ({
    id: work * 100 + index + 1,
    work_id: work,
    number: String(index + 1),
    number_text: `第${index + 1}話`,
    sort_number: (index + 1) * 10,
    estimated,
  }))

const season = { season_year: 2026, season: 'spring', media: 'tv' } as const

export const catalogue: Rows = {
  works: [
    { id: works.onAir, title: '葬送のフリーレン', title_en: 'Frieren', ...season, watchers_count: 90 },
    {
      id: works.estimated,
      title: '名探偵コナン',
      title_en: 'Detective Conan',
      ...season,
      watchers_count: 80,
    },
    {
      id: works.film,
      title: '天気の子',
      title_en: 'Weathering with You',
      media: 'movie',
      season_year: 2019,
      no_episodes: 1,
    },
    {
      id: works.complete,
      title: '鋼の錬金術師',
      title_en: 'Fullmetal Alchemist',
      media: 'tv',
      season_year: 2003,
      season: 'autumn',
    },
    {
      id: works.planned,
      title: 'とんがり帽子のアトリエ',
      title_en: 'Witch Hat Atelier',
      ...season,
      watchers_count: 70,
    },
  ],
  episodes: [
    ...episodesOf(works.onAir, 12),
    ...episodesOf(works.estimated, 6, 1),
    ...episodesOf(works.complete, 3),
    ...episodesOf(works.planned, 12),
  ],
  channel_groups: [{ id: 90, name: '地上波', source_id: 1 }],
  channels: [{ id: 90, channel_group_id: 90, name: '日本テレビ' }],
}

/** Inserts the works, with a broadcast tonight. */
export async function fillCatalogue({ instance }: Site): Promise<void> {
  const tonight = { channel_id: 90, work_id: works.onAir, episode_id: works.onAir * 100 + 1 }
  await fill(instance.store, {
    ...catalogue,
    programs: [{ id: 90, ...tonight, started_at: instance.clock.now + 3_600_000 }],
  })
}

/** A user with a browser; counts what would be taps on a phone: presses, not typing. */
export interface Person {
  readonly page: Page
  readonly context: BrowserContext
  taps: number
  tap(selector: string): Promise<void>
  /** Waits until a response of the script or a new page has arrived. */
  told(text: RegExp): Promise<void>
}

export async function personAt(site: Site, username: string, options: object): Promise<Person> {
  const context = await site.browser.newContext({ reducedMotion: 'reduce', ...options })
  const { cookies } = await createMember(site.instance, username)
  const name = cookieName('sid', site.baseUrl)
  await context.addCookies([{ name, value: cookies.get(name) ?? '', url: site.baseUrl }])
  return asPerson(context, await context.newPage())
}

export function asPerson(context: BrowserContext, page: Page): Person {
  const person: Person = {
    page,
    context,
    taps: 0,
    tap: async (selector) => {
      person.taps += 1
      await page.locator(selector).first().click()
    },
    told: async (text) => {
      await page.locator('#toast').getByText(text).first().waitFor()
    },
  }
  return person
}
