import { expect, test } from 'bun:test'
import { headerLine } from '../../db/catalogue/header'
import { fileDays } from '../../db/catalogue/read-sources'
import { en } from '../../src/messages/en'
import { aboutDataPage } from '../../src/pages/about-data'
import { html } from '../../src/pages/html'

const shown = aboutDataPage({ t: en } as Parameters<typeof aboutDataPage>[0], html``).main.text

test('/about/data names every source of the default catalogue, and how old its data is', () => {
  const { sources } = headerLine(new Map())
  for (const { name } of sources) expect(shown).toContain(`<li>${name} (`)
  expect(shown.match(/<li>/g)).toHaveLength(sources.length)
  for (const [, day] of fileDays) expect(shown).toContain(`</a>, ${day})`)
  expect(shown).toContain('after 2026-08-22')
})
