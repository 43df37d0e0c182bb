import { defineSource } from '../source'
import { type Answer, readAnswer } from './annict/answers'
import { linesOf } from './annict/lines'
import { requestsFor } from './annict/requests'

/**
 * A person's own token is for that person's own use: seasons in scope and works that somebody here watches are asked
 * for, never the whole site. Pictures, counts and reviews are not taken.
 */
export const annict = defineSource<Answer>({
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
