import assert from 'node:assert/strict';

import type { ExampleServices } from '../examples';
import type { Workflow } from '../workflow';

import {
	personalVideoForContact,
	speechForWordPressPost,
	telegramVoiceReply,
	videoAfterSlackApproval,
	videoFromGoogleSheet,
	videoFromRss,
	videoInFiveLanguages,
} from './accountChecks';
import { agentMakesVideo, agentWithHumanReview } from './agentChecks';
import { importAndDownload, renameAssets } from './assetChecks';
import type { Context, N8nApi } from './context';
import { speechInParts } from './speechChecks';
import { newAssetToVideo, videoFromForm, videoFromWebhook, videosFromTable } from './videoChecks';

/** The result of one example. */
export interface Outcome {
	passed: boolean;
	/** A summary of the result, or what was wrong. */
	summary: string;
}

/** By workflow ID: runs the example and returns a summary of the result, or throws. */
const checks: Record<string, (context: Context) => Promise<string>> = {
	AgentMakesVideo1: agentMakesVideo,
	AgentWithReview1: agentWithHumanReview,
	AvatarVideoHook1: videoFromWebhook,
	FiveLanguages001: videoInFiveLanguages,
	ImportDownload01: importAndDownload,
	NewAssetToVideo1: newAssetToVideo,
	RenameAssetsRun1: renameAssets,
	SlackApproval001: videoAfterSlackApproval,
	SpeechForPost001: speechForWordPressPost,
	SpeechInParts001: speechInParts,
	TelegramSpeech01: telegramVoiceReply,
	VideoForContact1: personalVideoForContact,
	VideoFromForm001: videoFromForm,
	VideoFromRss0001: videoFromRss,
	VideoFromSheet01: videoFromGoogleSheet,
	VideosFromTable1: videosFromTable,
};

/** Runs one example, and checks its execution in n8n and the requests to the stand-ins. */
export async function checkExample(
	workflow: Workflow,
	n8n: N8nApi,
	{ service, model }: Pick<ExampleServices, 'service' | 'model'>,
): Promise<Outcome> {
	service.reset();
	model.play();
	try {
		const check = checks[workflow.id];
		if (!check) throw new Error(`no check is written for ${workflow.id}`);
		const summary = await check({ workflow, n8n, service, model });
		const violations = service.violations;
		assert(violations.length === 0, `requests against the contract: ${violations.join('; ')}`);
		return { passed: true, summary };
	} catch (error) {
		return { passed: false, summary: (error as Error).message };
	}
}
