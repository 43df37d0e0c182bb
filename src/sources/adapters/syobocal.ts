import { defineSource } from '../source'
import type { SyobocalAnswer } from './syobocal/answers'
import { linesOf, notesOf } from './syobocal/lines'
import { readAnswer } from './syobocal/read-answer'
import { requestsFor } from './syobocal/requests'

/** Its terms require a user agent of our own and at most one request a second, or one in 10 s above 500 an hour. */
export const syobocal = defineSource<SyobocalAnswer>({
  name: 'syobocal',
  title: 'しょぼいカレンダー',
  licence: 'free copying, see its about page',
  home: 'https://docs.cal.syoboi.jp/',
  hosts: ['cal.syoboi.jp'],
  intervalMs: 86_400_000,
  pace: { perSecond: 1, perHour: 450, perDay: 9000 },
  maxBytes: 16 * 1024 * 1024,
  settings: [],
  matchTitles: true,
  requests: requestsFor,
  read: readAnswer,
  lines: linesOf,
  notes: notesOf,
})
