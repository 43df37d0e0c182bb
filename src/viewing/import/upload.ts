import { ApiError } from '../../http/errors'
import { textOrBlank } from '../../http/request-values'
import { receiveUpload, type Upload, type UploadRules } from '../../http/upload/receive'
import { limits } from '../../transfer/file/limits'
import { checkOrigin, checkToken } from '../../web/csrf'
import { formText, noteRefusal } from '../../web/form'
import type { PageRoute } from '../../web/page'
import { PageProblem } from '../../web/problem'
import { type Visit, withCurrentSession } from '../../web/visit'
import { showChoose } from './choose-page'
import { type ImportVisit, importer } from './import-visit'
import { askForColumns, ownColumns, readList } from './read-list'

const uploadRules: UploadRules = { maxBytes: limits.upload, timeLimitMs: 10 * 60_000 }

const path = '/settings/import'

/** Streams a file to disk and creates a preview of it, or shows the form again with the file's problem. */
export const uploadRoute: PageRoute = {
  method: 'POST',
  path,
  answer: async (visit) => {
    const { request, deps } = visit
    noted(visit, () => checkOrigin(request, deps.config.baseUrl))
    const known = importer(visit)
    try {
      const sender = { pool: 'uploads', key: String(known.session.userId) } as const
      await using upload = await receiveUpload(request, deps, uploadRules, sender)
      noted(visit, () => checkToken(formText(upload.values, 'csrf'), visit.cookie))
      return await readFile(importer(await withCurrentSession(visit)), upload)
    } catch (cause) {
      if (cause instanceof ApiError && cause.type === 'payload_too_large') return tooLarge(known)
      throw cause
    }
  },
}

function noted(visit: Visit, check: () => void): void {
  try {
    check()
  } catch (cause) {
    if (cause instanceof PageProblem) noteRefusal(visit, path, cause)
    throw cause
  }
}

const tooLarge = (visit: ImportVisit) => {
  const { t } = visit
  const sentence = t.fileLimits.upload
  return showChoose(visit, { status: 413, what: t.listImports.refused(''), source: '', sentence })
}

async function readFile(visit: ImportVisit, { values, file }: Upload) {
  const { t } = visit
  const source = textOrBlank(values, 'source')
  const refuse = (fileName: string, sentence: string) =>
    showChoose(visit, { status: 400, what: t.listImports.refused(fileName), source, sentence })
  if (file === undefined || (file.name === '' && (await Bun.file(file.path).stat()).size === 0))
    return refuse('', t.listImports.noFile)
  const refuseIt = (sentence: string) => refuse(file.name, sentence)
  return source === ownColumns
    ? await askForColumns(visit, file, refuseIt)
    : await readList(visit, file, { source }, refuseIt)
}
