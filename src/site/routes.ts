import type { Route } from '../http/route'
import { admin } from './admin'
import { adminInvitations, withdraw } from './admin-invitations'
import { adminUser } from './admin-user'
import { adminUserActions } from './admin-user-actions'
import { adminUsers } from './admin-users'
import { applications } from './applications'
import {
  editApplication,
  removeApplication,
  revokeApplicationTokens,
  rotateApplication,
} from './applications-change'
import { createApplication, newApplication } from './applications-new'
import { showApplication } from './applications-show'
import { confirm } from './confirm'
import { data, downloadData } from './data'
import { accountDeleted, deleteAccount } from './delete-account'
import { decideOnDevice, enterDeviceCode } from './device'
import { email, emailConfirmation } from './email'
import { livez, readyz } from './health'
import { language } from './language'
import { password } from './password'
import { profile } from './profile'
import { about, errors, home } from './public'
import { reset, resetRequest } from './reset-password'
import { endOtherSessions, endSession, sessions } from './sessions'
import { settings } from './settings'
import { revokeGrant, settingsApplications } from './settings-applications'
import { revokeMyToken, settingsTokens } from './settings-tokens'
import { setup } from './setup'
import { signIn } from './sign-in'
import { signInCode } from './sign-in-code'
import { signOut } from './sign-out'
import { signUp, signUpAtAddress } from './sign-up'
import { startTwoStep, twoStep } from './two-step'
import { renewCodes } from './two-step-codes'
import { turnOffTwoStep } from './two-step-off'
import { setUpTwoStep } from './two-step-set-up'

/** Every page and what its forms do; what programs ask of the server's health. A new one is named here. */
export const siteRoutes: readonly Route[] = [
  home,
  about,
  errors,
  ...language,
  ...setup,
  ...signUp,
  ...signUpAtAddress,
  ...signIn,
  ...signInCode,
  signOut,
  ...confirm,
  ...resetRequest,
  ...reset,
  settings,
  ...profile,
  ...password,
  ...email,
  ...emailConfirmation,
  twoStep,
  startTwoStep,
  ...setUpTwoStep,
  ...renewCodes,
  ...turnOffTwoStep,
  sessions,
  endSession,
  endOtherSessions,
  data,
  downloadData,
  ...deleteAccount,
  accountDeleted,
  ...settingsTokens,
  ...revokeMyToken,
  settingsApplications,
  ...revokeGrant,
  applications,
  ...newApplication,
  ...createApplication,
  showApplication,
  ...editApplication,
  ...rotateApplication,
  ...revokeApplicationTokens,
  ...removeApplication,
  admin,
  adminUsers,
  adminUser,
  ...adminUserActions,
  ...adminInvitations,
  ...withdraw,
  ...enterDeviceCode,
  decideOnDevice,
  livez,
  readyz,
]
