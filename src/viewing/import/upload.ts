import { ApiError } from '../../http/errors'
import { textOrBlank } from '../../http/request-values'
import { receiveUpload, type Upload, type UploadRules } from '../../http/upload/receive'
import { limits } from '../../transfer/file/limits'
import { RefusedFile } from '../../transfer/file/refused-file'
import { refusalSentence } from '../../transfer/refusal'
import { checkOrigin, checkToken } from '../../web/csrf'
import { formText } from '../../web/form'
import { type PageRoute, seeOther } from '../../web/page'
import { withCurrentSession } from '../../web/visit'
import { showChoose } from './choose-page'
import { type ImportVisit, importer, importPath } from './import-visit'
import { sourceIn } from './sources'

export const uploadRules: UploadRules = { maxBytes: limits.upload, timeLimitMs: 10 * 60_000 }

/** Makes a preview of a file, whose bytes go to the disk, or shows the form again with what is wrong with it. */
export const uploadRoute: PageRoute = {
  method: 'POST',
  path: '/settings/import',
  answer: async (visit) => {
    const { request, deps } = visit
    checkOrigin(request, deps.config.baseUrl)
    const known = importer(visit)
    try {
      await using upload = await receiveUpload(request, deps, uploadRules)
      checkToken(formText(upload.values, 'csrf'), visit.cookie)
      return await readFile(importer(await withCurrentSession(visit)), upload)
    } catch (cause) {
      if (cause instanceof ApiError && cause.type === 'payload_too_large')
        return showChoose(known, {
          status: 413,
          fileName: '',
          source: '',
          sentence: visit.pageContext.t.listImports.tooLarge,
        })
      throw cause
    }
  },
}

async function readFile(visit: ImportVisit, { values, file }: Upload) {
  const { lists, session, pageContext } = visit
  const { t } = pageContext
  const source = textOrBlank(values, 'source')
  const refuse = (fileName: string, sentence: string) =>
    showChoose(visit, { status: 400, fileName, source, sentence })
  if (file === undefined || (file.name === '' && (await Bun.file(file.path).stat()).size === 0))
    return refuse('', t.listImports.noFile)
  try {
    const { timeZone } = pageContext.preferences
    const made = await lists.read(session.userId, file, { source: sourceIn(source), timeZone })
    return seeOther(visit, importPath(made.id))
  } catch (cause) {
    if (cause instanceof RefusedFile) return refuse(file.name, refusalSentence(cause, t))
    if (cause instanceof ApiError && cause.type === 'invalid_params')
      return refuse(file.name, cause.violations.join(' '))
    throw cause
  }
}
