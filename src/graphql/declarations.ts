import { createRecord, deleteRecord, updateRecord } from './mutations/records'
import { createReview, deleteReview, updateReview } from './mutations/reviews'
import { updateStatus } from './mutations/update-status'
import type { Declarations } from './schema/catalogue'
import { activity } from './types/activity'
import { cast } from './types/cast'
import { channel } from './types/channel'
import { channelGroup } from './types/channel-group'
import { character } from './types/character'
import { episode } from './types/episode'
import { libraryEntry } from './types/library-entry'
import { multipleRecord } from './types/multiple-record'
import { organization } from './types/organization'
import { person } from './types/person'
import { prefecture } from './types/prefecture'
import { program } from './types/program'
import { query } from './types/query'
import { record } from './types/record'
import { review } from './types/review'
import { series } from './types/series'
import { staff } from './types/staff'
import { status } from './types/status'
import { userType } from './types/user'
import { work } from './types/work'
import { workImage } from './types/work-image'

/** The whole API: add types and mutations here. */
export const declarations: Declarations = {
  types: [
    activity,
    cast,
    channel,
    channelGroup,
    character,
    episode,
    libraryEntry,
    multipleRecord,
    organization,
    person,
    prefecture,
    program,
    record,
    review,
    series,
    staff,
    status,
    userType,
    work,
    workImage,
  ],
  query,
  mutations: [
    createRecord,
    createReview,
    deleteRecord,
    deleteReview,
    updateRecord,
    updateReview,
    updateStatus,
  ],
}
