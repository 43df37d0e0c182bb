import { afterAll, describe, expect, test } from 'bun:test'
import { unusedMessages } from '../../scripts/messages'
import { en } from '../../src/messages/en'
import { ja } from '../../src/messages/ja'
import { languages, messagesIn, preferredLanguage } from '../../src/messages/languages'
import { pluralIn } from '../../src/messages/plural'
import { createInstance } from '../support/instance'
import { createVisitor } from '../support/visitor'

const kiroku = await createInstance()
afterAll(kiroku.close)

describe('the messages', () => {
  test('that no source uses are reported', () => {
    const messages = { signIn: { title: '', wrong: '' }, errorTitles: { not_found: '', forbidden: '' } }
    const sources = ['const title = look.t.signIn.title', '(t) => t.errorTitles[type]']
    expect(unusedMessages(messages, sources)).toEqual(['signIn.wrong'])
    expect(unusedMessages(messages, ['t.signIn.wrongCode', 't.errorTitles.forbidden'])).toEqual([
      'signIn.title',
      'signIn.wrong',
      'errorTitles.not_found',
    ])
    // Something else with that name, not the group of messages.
    expect(unusedMessages({ series: { title: '' } }, ['world.series[0]'])).toEqual(['series.title'])
  })

  test('contain no markup in any language', () => {
    for (const language of languages)
      for (const keys of Object.values(messagesIn(language)))
        for (const message of Object.values(keys)) expect(String(message)).not.toMatch(/<\/?[a-z]/)
  })

  test('in Japanese are Japanese, except for names and what is typed as it is', () => {
    const names = ['ja', 'GraphiQL', 'kiroku', 'MyAnimeList', 'Yamtrack', 'Simkl', 'TV', 'OVA', 'Web', 'SAO']
    const players = ['Jellyfin', 'Plex', 'Emby', 'Kodi']
    const services = ['Webhook', 'ntfy', 'Gotify', 'Discord']
    const typed = ['merge.jsonl', 'rest.csv', 'shingeki no kyojin', 'apothecary', 'mal:52991']
    const kept = [...names, ...players, ...services, ...typed, 'https://annict.com/works/10079']
    const isJapanese = (text: string) => /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text)
    const latin = textsIn(ja).filter((text) => /[a-z]{2}/i.test(text) && !isJapanese(text))
    expect(latin.filter((text) => !kept.includes(text.replace(/（.*）$/, '')))).toEqual([])
  })

  test('in English have singular and plural', () => {
    expect([1, 2].map(en.common.days)).toEqual(['1 day', '2 days'])
    expect([1, 21].map(en.problem.tooOften)).toEqual([
      'Too many attempts. Try again in 1 second.',
      'Too many attempts. Try again in 21 seconds.',
    ])
  })

  test('in a language with more forms of a word have them', () => {
    const plural = pluralIn('pl')
    const forms = { one: 'dzień', few: 'dni', other: 'dnia' }
    expect([1, 3, 1.5].map((count) => plural(count, forms))).toEqual(['dzień', 'dni', 'dnia'])
    expect(plural(5, forms)).toBe('dnia')
  })
})

/** Those without arguments. */
function textsIn(messages: unknown): string[] {
  if (typeof messages === 'string') return [messages]
  return typeof messages === 'object' && messages !== null ? Object.values(messages).flatMap(textsIn) : []
}

test.each([
  [null, 'en'],
  ['tlh', 'en'],
  ['ja', 'ja'],
  ['tlh, ja-JP;q=0.8, en;q=0.5', 'ja'],
  ['ja;q=0.2, en-US', 'en'],
  ['ja;q=0', 'en'],
] as const)('a browser that asks for %p reads %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language)
})

test('every page links to its other languages, each in its own words', async () => {
  for (const language of languages) {
    const { text } = await createVisitor(kiroku, { language }).open('/sign_in')
    expect(text).toContain(`<html lang="${language}"`)
    for (const other of languages) {
      const link = `hreflang="${other}">${messagesIn(other).language.name}</a>`
      expect([other, text.includes(link)]).toEqual([other, other !== language])
    }
  }
})
