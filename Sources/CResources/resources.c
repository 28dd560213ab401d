#include "CResources.h"

// Clang reads the folders' files as they are, and again whenever one has changed: nothing is generated, and nothing is
// searched for when the program runs.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char public_conditions_js[] = {
#embed "../../Public/conditions.js"
};
static const unsigned char public_context_css[] = {
#embed "../../Public/context.css"
};
static const unsigned char public_controls_css[] = {
#embed "../../Public/controls.css"
};
static const unsigned char public_dialog_asking_js[] = {
#embed "../../Public/dialog-asking.js"
};
static const unsigned char public_dialog_conditions_js[] = {
#embed "../../Public/dialog-conditions.js"
};
static const unsigned char public_dialog_controls_js[] = {
#embed "../../Public/dialog-controls.js"
};
static const unsigned char public_dialog_filter_js[] = {
#embed "../../Public/dialog-filter.js"
};
static const unsigned char public_dialog_state_js[] = {
#embed "../../Public/dialog-state.js"
};
static const unsigned char public_dialog_js[] = {
#embed "../../Public/dialog.js"
};
static const unsigned char public_embed_frame_css[] = {
#embed "../../Public/embed/frame.css"
};
static const unsigned char public_embed_frame_js[] = {
#embed "../../Public/embed/frame.js"
};
static const unsigned char public_embed_modal_js[] = {
#embed "../../Public/embed/modal.js"
};
static const unsigned char public_embed_problem_js[] = {
#embed "../../Public/embed/problem.js"
};
static const unsigned char public_gate_js[] = {
#embed "../../Public/gate.js"
};
static const unsigned char public_hosts_js[] = {
#embed "../../Public/hosts.js"
};
static const unsigned char public_judge_js[] = {
#embed "../../Public/judge.js"
};
static const unsigned char public_okcancel_css[] = {
#embed "../../Public/okcancel.css"
};
static const unsigned char public_okcancel_d_ts[] = {
#embed "../../Public/okcancel.d.ts"
};
static const unsigned char public_okcancel_js[] = {
#embed "../../Public/okcancel.js"
};
static const unsigned char public_openapi_json[] = {
#embed "../../Public/openapi.json"
};
static const unsigned char public_pages_css[] = {
#embed "../../Public/pages.css"
};
static const unsigned char public_prompt_schema_json[] = {
#embed "../../Public/prompt.schema.json"
};
static const unsigned char public_quantities_js[] = {
#embed "../../Public/quantities.js"
};
static const unsigned char public_rules_js[] = {
#embed "../../Public/rules.js"
};
static const unsigned char public_watch_css[] = {
#embed "../../Public/watch.css"
};
static const unsigned char public_watch_js[] = {
#embed "../../Public/watch.js"
};
static const unsigned char public_zones_js[] = {
#embed "../../Public/zones.js"
};
static const unsigned char template_button[] = {
#embed "../../Templates/button.mustache"
};
static const unsigned char template_control_boolean[] = {
#embed "../../Templates/control-boolean.mustache"
};
static const unsigned char template_control_checkboxes[] = {
#embed "../../Templates/control-checkboxes.mustache"
};
static const unsigned char template_control_line[] = {
#embed "../../Templates/control-line.mustache"
};
static const unsigned char template_control_multiline[] = {
#embed "../../Templates/control-multiline.mustache"
};
static const unsigned char template_control_password[] = {
#embed "../../Templates/control-password.mustache"
};
static const unsigned char template_control_radios[] = {
#embed "../../Templates/control-radios.mustache"
};
static const unsigned char template_control_select[] = {
#embed "../../Templates/control-select.mustache"
};
static const unsigned char template_control_slider[] = {
#embed "../../Templates/control-slider.mustache"
};
static const unsigned char template_described[] = {
#embed "../../Templates/described.mustache"
};
static const unsigned char template_dialog[] = {
#embed "../../Templates/dialog.mustache"
};
static const unsigned char template_done[] = {
#embed "../../Templates/done.mustache"
};
static const unsigned char template_error[] = {
#embed "../../Templates/error.mustache"
};
static const unsigned char template_field[] = {
#embed "../../Templates/field.mustache"
};
static const unsigned char template_index[] = {
#embed "../../Templates/index.mustache"
};
static const unsigned char template_label[] = {
#embed "../../Templates/label.mustache"
};
static const unsigned char template_page[] = {
#embed "../../Templates/page.mustache"
};
static const unsigned char template_context[] = {
#embed "../../Templates/context.mustache"
};
static const unsigned char template_summary[] = {
#embed "../../Templates/summary.mustache"
};
static const unsigned char template_typing[] = {
#embed "../../Templates/typing.mustache"
};

static const okc_resource resources[] = {
  {"Public/conditions.js", public_conditions_js, sizeof public_conditions_js},
  {"Public/context.css", public_context_css, sizeof public_context_css},
  {"Public/controls.css", public_controls_css, sizeof public_controls_css},
  {"Public/dialog-asking.js", public_dialog_asking_js, sizeof public_dialog_asking_js},
  {"Public/dialog-conditions.js", public_dialog_conditions_js, sizeof public_dialog_conditions_js},
  {"Public/dialog-controls.js", public_dialog_controls_js, sizeof public_dialog_controls_js},
  {"Public/dialog-filter.js", public_dialog_filter_js, sizeof public_dialog_filter_js},
  {"Public/dialog-state.js", public_dialog_state_js, sizeof public_dialog_state_js},
  {"Public/dialog.js", public_dialog_js, sizeof public_dialog_js},
  {"Public/embed/frame.css", public_embed_frame_css, sizeof public_embed_frame_css},
  {"Public/embed/frame.js", public_embed_frame_js, sizeof public_embed_frame_js},
  {"Public/embed/modal.js", public_embed_modal_js, sizeof public_embed_modal_js},
  {"Public/embed/problem.js", public_embed_problem_js, sizeof public_embed_problem_js},
  {"Public/gate.js", public_gate_js, sizeof public_gate_js},
  {"Public/hosts.js", public_hosts_js, sizeof public_hosts_js},
  {"Public/judge.js", public_judge_js, sizeof public_judge_js},
  {"Public/okcancel.css", public_okcancel_css, sizeof public_okcancel_css},
  {"Public/okcancel.d.ts", public_okcancel_d_ts, sizeof public_okcancel_d_ts},
  {"Public/okcancel.js", public_okcancel_js, sizeof public_okcancel_js},
  {"Public/openapi.json", public_openapi_json, sizeof public_openapi_json},
  {"Public/pages.css", public_pages_css, sizeof public_pages_css},
  {"Public/prompt.schema.json", public_prompt_schema_json, sizeof public_prompt_schema_json},
  {"Public/quantities.js", public_quantities_js, sizeof public_quantities_js},
  {"Public/rules.js", public_rules_js, sizeof public_rules_js},
  {"Public/watch.css", public_watch_css, sizeof public_watch_css},
  {"Public/watch.js", public_watch_js, sizeof public_watch_js},
  {"Public/zones.js", public_zones_js, sizeof public_zones_js},
  {"Templates/button.mustache", template_button, sizeof template_button},
  {"Templates/control-boolean.mustache", template_control_boolean, sizeof template_control_boolean},
  {"Templates/control-checkboxes.mustache", template_control_checkboxes, sizeof template_control_checkboxes},
  {"Templates/control-line.mustache", template_control_line, sizeof template_control_line},
  {"Templates/control-multiline.mustache", template_control_multiline, sizeof template_control_multiline},
  {"Templates/control-password.mustache", template_control_password, sizeof template_control_password},
  {"Templates/control-radios.mustache", template_control_radios, sizeof template_control_radios},
  {"Templates/control-select.mustache", template_control_select, sizeof template_control_select},
  {"Templates/control-slider.mustache", template_control_slider, sizeof template_control_slider},
  {"Templates/described.mustache", template_described, sizeof template_described},
  {"Templates/dialog.mustache", template_dialog, sizeof template_dialog},
  {"Templates/done.mustache", template_done, sizeof template_done},
  {"Templates/error.mustache", template_error, sizeof template_error},
  {"Templates/field.mustache", template_field, sizeof template_field},
  {"Templates/index.mustache", template_index, sizeof template_index},
  {"Templates/label.mustache", template_label, sizeof template_label},
  {"Templates/page.mustache", template_page, sizeof template_page},
  {"Templates/context.mustache", template_context, sizeof template_context},
  {"Templates/summary.mustache", template_summary, sizeof template_summary},
  {"Templates/typing.mustache", template_typing, sizeof template_typing},
};

const okc_resource *okc_resource_at(size_t place) {
  return place < sizeof resources / sizeof *resources ? &resources[place] : NULL;
}
