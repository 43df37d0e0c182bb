import { defineSource } from '../source'
import { type AnnictAnswer, readAnswer } from './annict/answers'
import { linesOf } from './annict/lines'
import { requestsFor } from './annict/requests'

/**
 * A personal token is for that person's own use: only seasons in scope and works watched here are requested, never
 * the whole site. Leaves out pictures, counts and reviews.
 */
export const annict = defineSource<AnnictAnswer>({
  name: 'annict',
  title: 'Annict',
  licence: "a user's own token",
  home: 'https://developers.annict.com/',
  hosts: ['api.annict.com'],
  intervalMs: 7 * 86_400_000,
  pace: { perSecond: 0.5 },
  maxBytes: 16 * 1024 * 1024,
  settings: ['token'],
  matchTitles: true,
  requests: (scope, _, known) => requestsFor(scope, known),
  read: readAnswer,
  lines: linesOf,
})
