import { rm } from 'node:fs/promises'
import { perStore } from '../../db/generations/tracked-read'
import { textOrBlank } from '../../http/request-values'
import { uploadDirectory } from '../../http/upload/directory'
import type { PageContent } from '../../pages/layout'
import { newPace } from '../../transfer/annict-account/pages'
import { pullAnnict } from '../../transfer/annict-account/pull'
import { AccountRefused, accountSentence } from '../../transfer/annict-account/refused'
import { version } from '../../version'
import { defineAction } from '../../web/form'
import { definePage, seeOther } from '../../web/page'
import { showChoose } from './choose-page'
import { type ImportVisit, importer } from './import-visit'
import { readList } from './read-list'

const path = '/settings/import/annict'

/** Reads an account at Annict with the member's own token, instead of a file. */
export const annictRoute = defineAction({
  path,
  access: importer,
  run: async (visit, sent) => {
    try {
      return await pull(visit, textOrBlank(sent, 'token').trim())
    } catch (cause) {
      if (cause instanceof AccountRefused) return refuse(visit, accountSentence(cause, visit.t))
      throw cause
    }
  },
})

/** The pulls that are running: one of a member, all at one pace. */
const pullsOf = perStore(() => ({ pace: newPace(), members: new Set<number>() }))

async function pull(visit: ImportVisit, token: string): Promise<PageContent | Response> {
  const { deps, request, session } = visit
  const { pace, members } = pullsOf(deps.seen)
  if (members.has(session.userId)) throw new AccountRefused('running')
  members.add(session.userId)
  const { annictUrl, baseUrl } = deps.config
  const userAgent = `kiroku/${version} (+${baseUrl})`
  const tools = { folder: uploadDirectory(deps), annictUrl, userAgent, pace }
  const file = await pullAnnict(tools, { token, signal: request.signal }).finally(() =>
    members.delete(session.userId),
  )
  try {
    return await readList(visit, file, { source: 'annict' }, (sentence) => refuse(visit, sentence))
  } finally {
    await rm(file.path, { force: true })
  }
}

const refuse = (visit: ImportVisit, sentence: string): Promise<PageContent> =>
  showChoose(visit, {
    status: 422,
    what: visit.t.listImports.annict.refused,
    source: '',
    sentence,
    isOfAccount: true,
  })

/** A refusal is shown at the address of the form's POST: reloading it or changing its language leads back. */
export const annictWayBack = definePage({
  path,
  access: importer,
  show: (visit) => seeOther(visit, '/settings/import'),
})
