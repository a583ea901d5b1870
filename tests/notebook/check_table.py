"""The problems of the public notebooks, each confirmed by hand; what might be missing was looked for too.

`file:line` per code, `file` alone where the problem is the file itself. Two places were matters of judgement:
a bullet that begins with the name of a page which nobody wrote is prose (link-climbs-out, line 52), and
only sense shows that a `#` cut the description "The" (large-flat-truncated-descriptions, project_541).
"""

TABLE: dict[str, dict[str, str]] = {
    "cjk-unindexed": {
        "not_indexed": "feedback_dogeno_vobo.md",
        "unknown_type": "project_pa_zepipe.md:6",
    },
    "hangul-headings": {
        "dangling_link": "MEMORY.md:24",
        "frontmatter_missing": "buhovoluve-danodiy-hedibanu.md",
        "not_indexed": "buhovoluve-danodiy-hedibanu.md",
        "unknown_type": """
            project_gadikone-gezikawa.md:4 project_ledelus-ronanavi.md:4 project_wot-kulokovowe.md:4
        """,
    },
    "index-only-mixed-links": {
        "dangling_link": """
            MEMORY.md:5 MEMORY.md:6 MEMORY.md:7 MEMORY.md:11 MEMORY.md:12 MEMORY.md:13 MEMORY.md:26
        """,
    },
    "index-only-numbered": {
        "dangling_link": "MEMORY.md:18 MEMORY.md:21 MEMORY.md:23 MEMORY.md:25 MEMORY.md:27 MEMORY.md:30",
    },
    "index-only-prefixed-links": {
        "dangling_link": "MEMORY.md:4 MEMORY.md:8 MEMORY.md:9 MEMORY.md:13 MEMORY.md:14",
    },
    "invalid-yaml-colon": {
        "frontmatter_not_yaml": "project_disobemefaba_teh.md:3",
        "unknown_type": "project_disobemefaba_teh.md:4 project_luwore_zanodo.md:4",
    },
    "large-flat-truncated-descriptions": {
        "dangling_link": "MEMORY.md:31",
        "duplicate_entry": "MEMORY.md:54 MEMORY.md:55",
        "index_over_budget": "MEMORY.md:108",
        "not_indexed": """
            feedback_rubutuhaku_no_nugiramo_dige.md feedback_zihapow_vetoke_dutedis.md
            project_pedodun_nezineri_kezaki.md
        """,
        "unknown_type": """
            project_163_tizitipa_batisubo_haba.md:6 project_172_rumuruyawor_zihe_yome.md:5
            project_1762_1338_2900_womi.md:5 project_224_gimanilu_lugalolo.md:5
            project_2541_ruva_7461_nekugole.md:5 project_2949_vahi_fede_gizezebo.md:5
            project_3027_muvi_yado_fegite.md:5 project_335_kumi_zagusu_moro_wemopova.md:6
            project_344_tizitipa_moro_pihike_bego.md:6 project_368_sero5_ve2_sagenag.md:5
            project_368_sukopozi_pawo_punusu.md:5 project_368_woyaheto_wehoselezes.md:5
            project_369_sug_tinosuva.md:6 project_435_woyaheto_rit_ver.md:6
            project_480_132_lime_zelu_kaserar.md:6 project_5046_vahi_nekugole.md:5
            project_5100_6143_5394_7421_5180_womi.md:5 project_5224_muvi_yado_fiko.md:5
            project_541_415_lemibase_womi.md:6 project_574_lil_loza_zihapow_niwo.md:6
            project_6485_mana1_vawe_zafe_sagenag.md:5 project_682_tilo_tewiyapo_fapesa.md:6
            project_692_wesarer_sivoziye.md:6 project_697_ritona_vosadaze_liwo.md:6
            project_709_gizezebo.md:6 project_712_lime_kahano_fovikar.md:6
            project_7461_zihapow_buni_lil_gizezebo.md:6 project_746_155_297_kanuno.md:6
            project_774_gizezebo_mato_sodo_vatihe.md:6 project_774_tulo_gana_vosadaze_liwo.md:6
            project_777_letuvi_sagenag.md:6 project_782_wesarer_leteyape_perosoho.md:5
            project_7862_mato_tefiyalu_vamirayo_gizezebo.md:5 project_7927_vahi_gete_rige.md:5
            project_8147_vahi_wesatomalemi.md:5 project_842_rufedibu_dara.md:6
            project_858_luletusudi_vigu_letuvi.md:6 project_885_rayedili_nobuyam.md:6
            project_892_zihapow_pedodun.md:6 project_918_zo_pihafakenige.md:6
            project_9260_wrong_fala_retimom_gizezebo.md:5 project_9289_yado_leyatam.md:5
            project_9300_6263_kanuno_gizezebo.md:5 project_bale2_pimobeye.md:6
            project_beze_pelegeg_depomuy_claude_nahogiwe.md:6 project_hel_hapomur_baku_sose.md:6
            project_heva_bobusus_gimoyada.md:6 project_hohokohage_vam1_mut_petaverire.md:6
            project_kayopihirup_fobofip_pomuyo_deruna_padozod.md:6
            project_lekoyeberam_lewona_and_wemopova_lopihiso.md:5
            project_lime_hipefize_kosa_kahidada.md:5 project_lime_monazarodup.md:4
            project_metadata_yado_zihapow_haseno.md:5 project_na_vawe_from_tiratemo_migota.md:6
            project_pedodun_nezineri_kezaki.md:6 project_rido_puvaged_zoze.md:6 project_ril_fob.md:6
            project_suwa_nadasav_gero.md:4 project_timidep_kedikab_zeluvo_poda.md:6
            project_tove_wekupivo_duronem_kumomeneza.md:6 project_tulo_2_12_vosadaze.md:6
            project_vagayebetit_latipa.md:4 project_vam1_bidosu_suyo_sos.md:6
            project_veyawiza_nezineri_sipohofe.md:6 project_we_only_tizowafibot.md:6
            project_zafoparuliz_fawoso.md:4 project_zihapow_muy_zeluvo_and_si_topaki.md:6
        """,
        "value_cut_at_hash": """
            feedback_correction_rinitu_tofe_tipi_bodora.md:3 project_224_gimanilu_lugalolo.md:3
            project_335_kumi_zagusu_moro_wemopova.md:3 project_344_tizitipa_moro_pihike_bego.md:3
            project_574_lil_loza_zihapow_niwo.md:3 project_682_tilo_tewiyapo_fapesa.md:3
            project_692_wesarer_sivoziye.md:3 project_697_ritona_vosadaze_liwo.md:3
            project_709_gizezebo.md:3 project_774_tulo_gana_vosadaze_liwo.md:3
            project_777_letuvi_sagenag.md:3 project_8147_vahi_wesatomalemi.md:3
            project_842_rufedibu_dara.md:3 project_858_luletusudi_vigu_letuvi.md:3
            project_892_zihapow_pedodun.md:3 project_918_zo_pihafakenige.md:3
            project_9260_wrong_fala_retimom_gizezebo.md:3 project_9300_6263_kanuno_gizezebo.md:3
        """,
    },
    "link-climbs-out": {
        "frontmatter_missing": "project-baku-rivebetu-sukopozi.md",
        "frontmatter_not_yaml": "project-limumop-pomuyo.md:3 vamoseyo-feguto-mibatosabuwikid.md:3",
        "link_leaves_notebook": "MEMORY.md:108",
        "unknown_type": """
            dewo-limumop-zopefe.md:4 project-dusi-basitom-and-yezime-wayatega.md:4
            project-limumop-pomuyo.md:4 project-limumop-sikiti-dusi-basitom.md:4
            project-nome-nit-pive.md:4 project-rigadel-roru-sero1.md:4 ruva-nipamim-wotopu.md:4
            vamoseyo-feguto-mibatosabuwikid.md:4
        """,
    },
    "odd-yaml-hash-name": {
        "frontmatter_missing": "basote_reference.md suh_reference.md",
        "index_over_budget": "MEMORY.md:201",
        "not_indexed": """
            fede_rofazage.md feedback_kisi_niregugutuwasur.md project_rowa_kemu_zohoya.md
            suh_sotuno_dihigid.md
        """,
        "unknown_type": """
            dek_topaki_dedotuve_mibatosabuwikid.md:4 dozoheg_deruna_weyemom.md:4 fad_molifapiwoma.md:4
            fede_rofazage.md:4 hibu_deruna.md:4 mavemetu_deruna.md:4 noleran_donesiz_lugotiv.md:4
            pir_gapu_vosadaze.md:4 project_rowa_c2tu.md:4 project_rowa_kemu_zohoya.md:4
            rowa_kemu_suh.md:4 sero1_sero2_zanadeveyab.md:4 suh_sero1.md:4 suh_sero2.md:4 suh_sero3.md:4
            suh_sero45.md:4 suh_sotuno_dihigid.md:4 yebi_poyoro_dapobatamud_mibatosabuwikid.md:4
        """,
        "value_cut_at_hash": """
            feedback_kisi_niregugutuwasur.md:3 feedback_vam_hohozori.md:2 feedback_vam_hohozori.md:3
        """,
    },
    "prose-index": {
        "unknown_type": "project_zeva_rupepu_hefega.md:4",
    },
    "small-flat": {
        "unknown_type": """
            project_lime_monazarodup.md:4 project_ril_fob.md:4 project_suwa_nadasav_gero.md:4
            project_vagayebetit_latipa.md:4 project_zafoparuliz_fawoso.md:4
        """,
    },
    "tiny": {},
    "windows-desktop": {
        "frontmatter_missing": """
            agents.md baku-ferayotahi-nehime.md baku-go-forusedo.md baku-lo-sodugisu.md
            baku-piv-fehawoto.md baku-project-fehawoto.md baku-project-tolamum.md baku-red-noreret.md
            baku-si-nawaveme.md baku-tev-ritivifa.md baku-vam-negike.md baku-zo-demuzoy.md
            pep-project.md
        """,
        "not_indexed": """
            agents.md baku-ferayotahi-nehime.md baku-go-forusedo.md baku-lo-sodugisu.md
            baku-piv-fehawoto.md baku-project-fehawoto.md baku-project-tolamum.md baku-red-noreret.md
            baku-si-nawaveme.md baku-tev-ritivifa.md baku-vam-negike.md baku-zo-demuzoy.md
        """,
        "unknown_type": "basiga-project.md:4 dis2-nin-to-fih.md:4",
    },
}
