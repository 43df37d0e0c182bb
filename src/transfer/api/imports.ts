import { defineCommand } from '../../api/command'
import { envelope, pageOf, pagingFields, pagingParams, rangeOf } from '../../api/paging'
import { flagParam, idParam, wordParam } from '../../api/param-kinds'
import { type Param, type ParamValues, param, required } from '../../api/params'
import { invalidParams } from '../../http/errors'
import { idList } from '../../values/list'
import { anyText } from '../../values/text'
import { timeZone } from '../../values/time'
import type { ListImport } from '../batch/list-import'
import { listsOf } from '../batch/lists-of'
import { conflictPolicies, type ImportOptions, scoreFormats } from '../plan/planned-row'
import { importSchema, shownImport } from './import-schema'

export const importIdParam = required(idParam('The import', 3))

const fileUser = param(anyText, 'Whose entries to import, by their name in a file with several users', 'mio')

export const optionParams = {
  conflict: wordParam(
    conflictPolicies,
    'Where the file differs from what is here: keep changes nothing that is here, file takes its status, rating and ' +
      'review, newer those of what was changed last',
  ),
  score_format: wordParam(scoreFormats, 'The scale of its scores, if the file does not state it'),
  time_zone: param(
    timeZone,
    'The IANA time zone of times without one; the caller’s by default',
    'Asia/Tokyo',
  ),
  include_private: flagParam('Whether to import private entries too, which only the caller sees here'),
  all_private: flagParam('Whether only the caller sees what it writes'),
  user: fileUser,
  complete_watched: flagParam(
    'Whether finished works with only some episodes watched count as watched completely',
  ),
}

/** Of an import that is there, whose lists have numbers. */
const leftOutLists: Param<readonly number[], undefined> = {
  ...param(idList, 'The numbers of the lists that stay out, separated by commas; 0 for none', '0'),
  list: true,
}

const listParams = { leave_out_lists: leftOutLists }

/** Throws invalid_params for a number that no list has. */
function leftOutOf({ lists }: ListImport, numbers: readonly number[]): Pick<ImportOptions, 'leavesOut'> {
  const leavesOut = numbers.flatMap((number) => (number === 0 ? [] : [lists[number - 1]?.name]))
  const named = leavesOut.filter((name) => name !== undefined)
  if (named.length < leavesOut.length)
    throw invalidParams(`leave_out_lists must be numbers from 1 to ${lists.length}, or 0.`)
  return { leavesOut: named }
}

export const optionsOf = (sent: ParamValues<typeof optionParams>): Partial<ImportOptions> => ({
  ...(sent.conflict !== undefined && { conflict: sent.conflict }),
  ...(sent.score_format !== undefined && { scoreFormat: sent.score_format }),
  ...(sent.time_zone !== undefined && { timeZone: sent.time_zone }),
  ...(sent.include_private !== undefined && { includesPrivate: sent.include_private }),
  ...(sent.all_private !== undefined && { isAllPrivate: sent.all_private }),
  ...(sent.user !== undefined && { user: sent.user }),
  ...(sent.complete_watched !== undefined && { completesWatched: sent.complete_watched }),
})

export const myImports = defineCommand({
  method: 'GET',
  path: '/v1/me/imports',
  tag: 'Imports',
  summary: "Extension: the caller's imports from other services, newest first",
  params: pagingParams,
  answers: () => envelope('imports', importSchema),
  items: 'imports',
  run: async (query, { deps, viewer }) => {
    const page = pageOf(query)
    const { imports, total } = await listsOf(deps).list(viewer.userId, rangeOf(page))
    return { imports: imports.map(shownImport), ...pagingFields(page, total) }
  },
})

export const myImport = defineCommand({
  method: 'GET',
  path: '/v1/me/imports/:id',
  tag: 'Imports',
  summary: 'Extension: an import of the caller',
  params: { id: importIdParam },
  answers: () => importSchema,
  errors: ['not_found'],
  run: async ({ id }, { deps, viewer }) => shownImport(await listsOf(deps).find(viewer.userId, id)),
})

export const updateImport = defineCommand({
  method: 'PATCH',
  path: '/v1/me/imports/:id',
  tag: 'Imports',
  summary: 'Extension: changes the options of an import that has not been applied',
  description: 'Recomputes the preview.',
  params: { id: importIdParam, ...optionParams, ...listParams },
  answers: () => importSchema,
  errors: ['not_found'],
  run: async ({ id, leave_out_lists: numbers, ...sent }, { deps, viewer }) => {
    const lists = listsOf(deps)
    const left = numbers && leftOutOf(await lists.find(viewer.userId, id), numbers)
    return shownImport(await lists.setOptions(viewer.userId, id, { ...optionsOf(sent), ...left }))
  },
})

export const applyImport = defineCommand({
  method: 'POST',
  path: '/v1/me/imports/:id/apply',
  tag: 'Imports',
  summary: 'Extension: starts to apply an import',
  description: 'It continues by itself, even after a restart of the server; `progress` shows how far it is.',
  params: {
    id: importIdParam,
    accept: wordParam(
      ['probable'],
      'Also apply rows to check whose only suggestion has the same title and medium',
    ),
  },
  answers: () => importSchema,
  errors: ['not_found'],
  run: async ({ id, accept }, { deps, viewer }) => {
    const how = { acceptsProbable: accept === 'probable' }
    return shownImport(await listsOf(deps).apply(viewer.userId, id, how))
  },
})

const undoing = (verb: 'undo' | 'cancel', summary: string, description: string) =>
  defineCommand({
    method: 'POST',
    path: `/v1/me/imports/:id/${verb}`,
    tag: 'Imports',
    summary,
    description,
    params: { id: importIdParam },
    answers: () => importSchema,
    errors: ['not_found'],
    run: async ({ id }, { deps, viewer }) => shownImport(await listsOf(deps)[verb](viewer.userId, id)),
  })

export const undoImport = undoing(
  'undo',
  'Extension: starts to undo an import',
  'What the caller or others changed since stays, and is listed in `left`. Again it changes nothing.',
)

export const cancelImport = undoing(
  'cancel',
  'Extension: stops an import that is being applied, and undoes it',
  'One that is applied already is left as it is, and refused.',
)

export const deleteImport = defineCommand({
  method: 'DELETE',
  path: '/v1/me/imports/:id',
  tag: 'Imports',
  summary: 'Extension: deletes an import',
  description: 'What it added is kept, and can no longer be undone.',
  params: { id: importIdParam },
  errors: ['not_found'],
  run: async ({ id }, { deps, viewer }) => {
    await listsOf(deps).remove(viewer.userId, id)
    return null
  },
})
